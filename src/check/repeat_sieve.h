#pragma once

// Repeated records among many: a sieve over hashes that lets nearly all pass, and the exact answer
// for those that stick. Made for vocabularies, where repeats.h, which sorts, would cost more than
// all other checks together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/repeats.h"

namespace ggufgate {

// HashOfRecord hashes a string with its length in front, as it stands in a file: `record` has at
// least the 8 bytes of the length. The same records have the same hash; nothing else is promised,
// and a file can be made in which many differ and collide.
[[nodiscard]] std::uint64_t HashOfRecord(Bytes record);

// RepeatSieve is an open-addressing table of 32 bits of each hash. It keeps the hashes that were
// seen before (or seem so: one in 2^32 per look) as suspects.
//
// It holds 4 bytes for each of at most 4 slots a record, and what it does is bounded: when it has
// looked at kLooks slots a record, as a file with made-up collisions can bring about, it gives up.
class RepeatSieve {
 public:
  static constexpr std::uint64_t kLooks = 16;

  // Room for `records`, which are in memory already: each takes at least 8 bytes there.
  explicit RepeatSieve(std::uint64_t records);

  // Add looks a hash up and keeps it. Done in batches: what is added last is looked up by Flush().
  void Add(std::uint64_t hash) {
    waiting_[waiting_count_++] = hash;
    if (waiting_count_ == waiting_.size()) Flush();
  }
  void Flush();

  // True when the table could not tell: then every record is suspect.
  [[nodiscard]] bool gave_up() const { return looks_ > most_looks_; }
  // The hashes that came again, once for each time.
  [[nodiscard]] const std::vector<std::uint64_t>& suspects() const { return suspects_; }
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  void LookUp(std::uint64_t hash);

  std::uint64_t most_looks_;
  std::uint64_t mask_;
  std::vector<std::uint32_t> slots_;  // 0 is free
  std::array<std::uint64_t, 32> waiting_{};
  std::size_t waiting_count_ = 0;
  std::uint64_t looks_ = 0;
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
