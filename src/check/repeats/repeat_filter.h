#pragma once

// Finds repeated records among many: a filter over hashes passes nearly all, and an exact
// comparison decides the rest. Made for vocabularies. Sorting them with repeats.h would cost more
// than all other checks together.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/repeats/repeats.h"

namespace ggufgate {

namespace internal {

// Mix combines two numbers into one: the two halves of their product, XORed (as in wyhash, by Wang
// Yi). Two multiplications cost as much as all other work on a string.
inline std::uint64_t Mix(std::uint64_t front, std::uint64_t back) {
  __extension__ using Product = unsigned __int128;
  // Odd numbers without a pattern: the golden ratio, and a prime of xxHash (Collet).
  const Product product = Product{front ^ 0x9E37'79B9'7F4A'7C15} * (back ^ 0xC2B2'AE3D'27D4'EB4F);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// WordAt reads eight bytes in the order of this machine, because hashes are never stored. The
// caller checks that the bytes exist.
inline std::uint64_t WordAt(Bytes bytes, std::size_t at) {
  std::uint64_t word = 0;
  GGUFGATE_AUDITED_BEGIN  // the caller has checked that they exist
      std::memcpy(&word, bytes.data() + at, sizeof(word));
  GGUFGATE_AUDITED_END
  return word;
}

// HashLong is HashOfRecord for strings of more than 16 bytes.
[[nodiscard]] std::uint64_t HashLong(Bytes record);

}  // namespace internal

// HashOfRecord hashes a string as stored in the file: the length (8 bytes), then the text. Equal
// records have equal hashes. It guarantees nothing else: a file can contain many different records
// that collide.
//
// Two words that always exist cover a short string. One is the last eight bytes, which overlap the
// length if the string is shorter. The other is the first eight bytes, or the length. So the only
// branch is for long strings: lengths are hard to predict.
[[nodiscard]] inline std::uint64_t HashOfRecord(Bytes record) {
  constexpr std::size_t kWord = 8;
  if (record.size() > 3 * kWord) [[unlikely]] {
    return internal::HashLong(record);
  }
  const std::uint64_t size = record.size();  // at most 24: it fits into the five highest bits
  const std::uint64_t front = internal::WordAt(record, size >= 2 * kWord ? kWord : 0);
  return internal::Mix(front ^ size << 59, internal::WordAt(record, size - kWord));
}

// RepeatFilter takes the hashes of all records in order, and returns the records that may be
// repeats.
//
// It stores them in a Bloom filter of 64-bit words with four bits for each hash (Putze, Sanders,
// Singler, 2007). A hash that seems to be known is suspect: all repeats are, and one in a thousand
// of the others. The filter also keeps half of each hash. The halves clear nearly all false
// suspects, so the records need not be read again. (A filter with fewer suspects would not fit into
// the second-level cache.)
//
// It follows no chains and has no unpredictable branches: every hash costs the same. A hostile file
// can cause collisions, and so suspects. With more than one suspect for every kGenerosity records
// the filter gives up. It uses 6 to 8 bytes per record, and at most one more for suspects.
class RepeatFilter {
 public:
  static constexpr std::uint64_t kGenerosity = 16;

  // Allocates for `records`, which are in memory already: each takes at least 8 bytes there.
  explicit RepeatFilter(std::uint64_t records);

  // Add looks up the hashes and stores them. The total must not exceed `records`. A few
  // hundred hashes per call are best, because their words are fetched in parallel.
  void Add(std::span<const std::uint64_t> hashes);

  // True if there are too many suspects: then every record may be a repeat.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // MayBeSame returns the records that share their half of a hash with another, in rising order.
  // Unless the filter gave up, all repeats are among the result.
  [[nodiscard]] std::vector<std::uint64_t> MayBeSame() const;

 private:
  void Suspect(std::uint32_t half);
  [[nodiscard]] std::span<std::uint32_t> Halves() const;

  std::uint64_t most_suspects_;
  int shift_;
  std::vector<std::uint64_t> words_;
  std::unique_ptr<std::uint32_t[]> halves_;  // of the hashes, by record; the first count_ are set
  std::size_t records_;
  std::size_t count_ = 0;
  bool gave_up_ = false;
  std::vector<std::uint32_t> suspects_;
};

// FindRepeatedStrings finds the exact repeats among the strings in `elements` (each a 64-bit length
// and its bytes, `count` strings, all complete). The filter must have seen all their hashes. Empty
// strings are never repeats. Time is n log n if the filter gave up, linear if it has suspects, and
// constant if not.
[[nodiscard]] std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order,
                                                      std::uint64_t count,
                                                      const RepeatFilter& filter);

}  // namespace ggufgate
