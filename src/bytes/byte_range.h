#pragma once

#include <cstdint>

namespace ggufgate {

// ByteRange is a place in the file: `size` bytes from `begin`, both counted in bytes.
//
// Invariant kept by its makers: `begin + size` does not wrap. Ranges built from unchecked numbers
// of the file must pass FitsIn() before End() is asked.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;

  // FitsIn is true when the range lies in the first `limit` bytes. Computed without adding, so it
  // is right for every pair of numbers.
  [[nodiscard]] constexpr bool FitsIn(std::uint64_t limit) const {
    return begin <= limit && size <= limit - begin;
  }

  [[nodiscard]] constexpr std::uint64_t End() const { return begin + size; }

  // Between makes the range from `begin` up to and without `end`; `begin <= end`.
  static constexpr ByteRange Between(std::uint64_t begin, std::uint64_t end) {
    return {.begin = begin, .size = end - begin};
  }

  friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace ggufgate
