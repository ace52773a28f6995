#pragma once

#include <cstdint>

namespace ggufgate {

// ByteRange is a range of the file: `size` bytes from offset `begin`.
//
// Invariant: `begin + size` does not overflow. If the numbers come from a file, call FitsIn()
// before End().
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;

  // FitsIn returns whether the range is within the first `limit` bytes. It does not add, so it is
  // correct for all numbers.
  [[nodiscard]] constexpr bool FitsIn(std::uint64_t limit) const {
    return begin <= limit && size <= limit - begin;
  }

  [[nodiscard]] constexpr std::uint64_t End() const { return begin + size; }

  // Between returns the range [begin, end). `begin` must not exceed `end`.
  static constexpr ByteRange Between(std::uint64_t begin, std::uint64_t end) {
    return {.begin = begin, .size = end - begin};
  }

  friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace ggufgate
