#pragma once

// Hashes of the strings of an array. Not for users of the library.

#include <algorithm>
#include <cstdint>

#include "bytes/bytes.h"
#include "check/repeats/repeat_filter.h"
#include "parse/arrays.h"
#include "parse/document.h"

namespace ggufgate {

// In published vocabularies, few tokens have more bytes.
inline constexpr std::uint64_t kUsualBytes = 64;

// RecordLengths collects statistics about the lengths of strings.
class RecordLengths {
 public:
  // Note adds a string with its length in front.
  void Note(Bytes record) {
    const std::uint64_t length = record.size() - sizeof(std::uint64_t);
    greatest_ = std::max(greatest_, length - 1);
    // The same branch as in HashOfRecord(), so that it costs no extra time.
    if (record.size() > 3 * sizeof(std::uint64_t)) [[unlikely]] {
      if (length <= kUsualBytes) return;
      squares += std::min(length * length, UINT64_MAX - squares);  // for 2^30 bytes at most
    }
  }

  [[nodiscard]] bool any_empty() const { return greatest_ == UINT64_MAX; }
  // longest returns the greatest length of all strings. It is valid only if none is empty.
  [[nodiscard]] std::uint64_t longest() const { return greatest_ + 1; }

  std::uint64_t squares = 0;  // sum over the lengths above kUsualBytes

 private:
  // The greatest length minus one. For an empty string it wraps, and exceeds all others.
  std::uint64_t greatest_ = 0;
};

// HashRecords adds the hashes of all strings to a filter, in order, and returns their lengths.
[[nodiscard]] RecordLengths HashRecords(const Document& document, const LeafArray& strings,
                                        RepeatFilter& filter);

}  // namespace ggufgate
