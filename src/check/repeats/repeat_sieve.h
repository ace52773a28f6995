#pragma once

// Repeated records among many: a sieve over hashes that lets nearly all pass, and the exact answer
// for those that stick. Made for vocabularies, where repeats.h, which sorts, would cost more than
// all other checks together.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/repeats/repeats.h"

namespace ggufgate {

namespace internal {

// Mix makes one number of two: both halves of a product, one upon the other (as wyhash does, by
// Wang Yi). Two multiplications cost as much as all else that is done for a string.
inline std::uint64_t Mix(std::uint64_t front, std::uint64_t back) {
  __extension__ using Product = unsigned __int128;
  // Odd numbers without a pattern: the golden ratio, and one of the primes of xxHash (Collet).
  const Product product = Product{front ^ 0x9E37'79B9'7F4A'7C15} * (back ^ 0xC2B2'AE3D'27D4'EB4F);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// WordAt reads eight bytes, which must be there, in the order of this machine: a hash is not stored
// anywhere.
inline std::uint64_t WordAt(Bytes bytes, std::size_t at) {
  std::uint64_t word = 0;
  GGUFGATE_AUDITED_BEGIN  // the caller has seen that they are there
      std::memcpy(&word, bytes.data() + at, sizeof(word));
  GGUFGATE_AUDITED_END
  return word;
}

// HashLong is HashOfRecord for strings of more than 16 bytes.
[[nodiscard]] std::uint64_t HashLong(Bytes record);

}  // namespace internal

// HashOfRecord hashes a string with its length in front, as it stands in a file: `record` has at
// least the 8 bytes of the length. The same records have the same hash; nothing else is promised,
// and a file can be made in which many differ and collide.
//
// A short string is hashed by two words that are always there and cover it: the last eight bytes,
// which begin in the length where the string is shorter, and the first eight, or else the length.
// So nothing branches on the length but that it is long: lengths are hard to predict.
[[nodiscard]] inline std::uint64_t HashOfRecord(Bytes record) {
  constexpr std::size_t kWord = 8;
  if (record.size() > 3 * kWord) [[unlikely]] {
    return internal::HashLong(record);
  }
  const std::uint64_t size = record.size();  // at most 24: it fits the five highest bits
  const std::uint64_t front = internal::WordAt(record, size >= 2 * kWord ? kWord : 0);
  return internal::Mix(front ^ size << 59, internal::WordAt(record, size - kWord));
}

// RepeatSieve takes the hashes of all records, one after the other, and tells which records may be
// the same as another.
//
// It remembers them in a Bloom filter of 64-bit words with four bits for each hash (Putze, Sanders,
// Singler, 2007). One that it seems to have seen before is suspect: a repeat always is, of others
// one in a thousand. It also keeps half of each hash, and those clear nearly all suspects that are
// none, so that nobody need look at the records again. (A filter that suspects fewer is larger: it
// would not stay in the second-level cache.)
//
// There is no chain to follow and no branch to guess: the work is the same for every hash. A file
// made for collisions makes suspects; with more than one for every kGenerosity records the sieve
// gives up. It holds 6 to 8 bytes a record, and at most one more for suspects.
class RepeatSieve {
 public:
  static constexpr std::uint64_t kGenerosity = 16;

  // Room for `records`, which are in memory already: each takes at least 8 bytes there.
  explicit RepeatSieve(std::uint64_t records);

  // Add looks the next hashes up and remembers them. Not to be called for more than `records`; best
  // for some hundred at a time: their words are fetched side by side.
  void Add(std::span<const std::uint64_t> hashes);

  // True when there are too many suspects: then every record may be a repeat.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // MayBeSame lists the records that have their half of a hash in common with another, by rising
  // number, unless the sieve gave up: the same records always do.
  [[nodiscard]] std::vector<std::uint64_t> MayBeSame() const;

 private:
  void Suspect(std::uint32_t half);

  std::uint64_t most_suspects_;
  int shift_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> halves_;  // of the hashes, by record
  std::size_t count_ = 0;
  bool gave_up_ = false;
  std::vector<std::uint32_t> suspects_;
};

// FindRepeatedStrings gives the exact answer for the strings in `elements` (each a 64-bit length
// and its bytes, `count` of them, all whole), all of whose hashes the sieve has seen: which are the
// same as one before. Empty strings are never repeats. n log n where the sieve gave up, a walk
// where it names some, nothing where it names none.
[[nodiscard]] std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order,
                                                      std::uint64_t count,
                                                      const RepeatSieve& sieve);

}  // namespace ggufgate
