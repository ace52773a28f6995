#pragma once

// Repeated records among many: a sieve over hashes that lets nearly all pass, and the exact answer
// for those that stick. Made for vocabularies, where repeats.h, which sorts, would cost more than
// all other checks together.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bytes/audited.h"
#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/repeats.h"

namespace ggufgate {

namespace internal {

// Mix makes one number of two, each bit of which depends on all bits of both.
constexpr std::uint64_t Mix(std::uint64_t front, std::uint64_t back) {
  // Odd numbers without a pattern: the golden ratio, and two of the primes of xxHash (Collet).
  std::uint64_t hash =
      (front * 0x9E37'79B9'7F4A'7C15) ^ std::rotl(back * 0xC2B2'AE3D'27D4'EB4F, 32);
  hash ^= hash >> 29;
  hash *= 0x1656'67B1'9E37'79F9;
  return hash ^ (hash >> 32);
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

// kFourBits are words with four bits set, in no order: cheaper to look up than to compute.
inline constexpr auto kFourBits = [] {
  std::array<std::uint64_t, 256> words{};
  std::uint64_t dice = 0x9E37'79B9'7F4A'7C15;  // xorshift64 (Marsaglia, 2003)
  for (std::uint64_t& word : words) {
    while (std::popcount(word) < 4) {
      dice ^= dice << 13;
      dice ^= dice >> 7;
      dice ^= dice << 17;
      word |= std::uint64_t{1} << (dice >> 58);
    }
  }
  return words;
}();

// EightBits chooses bits of a word by the low 24 bits of a hash; few of them fall together.
constexpr std::uint64_t EightBits(std::uint64_t hash) {
  return kFourBits[hash & 0xFF] |
         std::rotl(kFourBits[hash >> 8 & 0xFF], static_cast<int>(hash >> 16 & 63));
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

// RepeatSieve remembers hashes in a Bloom filter of 64-bit words with eight bits for each hash
// (Putze, Sanders, Singler, 2007), and keeps those that it seems to have seen before as suspects. A
// repeat is always suspect; of other hashes one in ten thousand is. (A table twice as large would
// have fewer suspects, and cost more to get from the system than they do.)
//
// There is no chain to follow and no branch to guess: the work is the same for every hash. A file
// made for collisions makes suspects; with more than one for every kGenerosity records the sieve
// gives up. It holds 4 to 8 bytes a record, and at most one more for suspects.
class RepeatSieve {
 public:
  static constexpr std::uint64_t kGenerosity = 16;

  // Room for `records`, which are in memory already: each takes at least 8 bytes there.
  explicit RepeatSieve(std::uint64_t records);

  // Add looks a hash up and remembers it.
  void Add(std::uint64_t hash) {
    std::uint64_t& word = words_[hash >> shift_];
    const std::uint64_t bits = internal::EightBits(hash);
    if ((~word & bits) == 0) [[unlikely]] {
      Suspect(hash);
    }
    word |= bits;
  }

  // True when there are too many suspects: then every record is one.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // The hashes that came again, once for each time.
  [[nodiscard]] const std::vector<std::uint64_t>& suspects() const { return suspects_; }

 private:
  void Suspect(std::uint64_t hash);

  std::uint64_t most_suspects_;
  int shift_;
  std::vector<std::uint64_t> words_;
  bool gave_up_ = false;
  std::vector<std::uint64_t> suspects_;
};

// FindRepeatedStrings gives the exact answer for the strings in `elements` (each a 64-bit length
// and its bytes, `count` of them, all whole), whose hashes the sieve has seen: which are the same
// as one before. Empty strings are never repeats. n log n where the sieve has many suspects, a walk
// where it has few, nothing where it has none.
[[nodiscard]] std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order,
                                                      std::uint64_t count,
                                                      const RepeatSieve& sieve);

}  // namespace ggufgate
