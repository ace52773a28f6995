#pragma once

// The hashes of the strings of an array. Not for users of the library.

#include <algorithm>
#include <cstdint>

#include "bytes/bytes.h"
#include "check/repeats/repeat_sieve.h"
#include "parse/arrays.h"
#include "parse/document.h"

namespace ggufgate {

// Tokens of more bytes than this are few in every published vocabulary.
inline constexpr std::uint64_t kUsualBytes = 64;

// RecordLengths is what the lengths of strings come to.
class RecordLengths {
 public:
  // Note takes a string with its length in front.
  void Note(Bytes record) {
    const std::uint64_t length = record.size() - sizeof(std::uint64_t);
    greatest_ = std::max(greatest_, length - 1);
    // The same branch as in HashOfRecord(), so that it costs nothing more.
    if (record.size() > 3 * sizeof(std::uint64_t)) [[unlikely]] {
      if (length <= kUsualBytes) return;
      squares += std::min(length * length, UINT64_MAX - squares);  // of 2^30 bytes at most
    }
  }

  [[nodiscard]] bool any_empty() const { return greatest_ == UINT64_MAX; }
  // longest is that of all strings, where none is empty.
  [[nodiscard]] std::uint64_t longest() const { return greatest_ + 1; }

  std::uint64_t squares = 0;  // of those above kUsualBytes, summed

 private:
  // The greatest length less one: that of an empty string is greater than all others.
  std::uint64_t greatest_ = 0;
};

// HashRecords adds the hashes of all strings to a sieve, in their order, and notes their lengths.
[[nodiscard]] RecordLengths HashRecords(const Document& document, const LeafArray& strings,
                                        RepeatSieve& sieve);

}  // namespace ggufgate
