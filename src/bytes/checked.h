#pragma once

// Arithmetic for numbers from a file: it returns the result, or nullopt on overflow. The published
// integer overflows in GGUF loaders (CVE-2026-33298, CVE-2025-53630, …) all come from an unchecked
// `+` or `*` on such a number.

#include <bit>
#include <cstdint>
#include <optional>

namespace ggufgate {

[[nodiscard]] constexpr std::optional<std::uint64_t> CheckedAdd(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

[[nodiscard]] constexpr std::optional<std::uint64_t> CheckedMul(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// CheckedAlignUp rounds `value` up to a multiple of `alignment`, which must not be 0.
[[nodiscard]] constexpr std::optional<std::uint64_t> CheckedAlignUp(std::uint64_t value,
                                                                    std::uint64_t alignment) {
  // Nearly all alignments are powers of two, and a division takes ten times as long as a mask.
  const bool mask = std::has_single_bit(alignment);
  const std::uint64_t over = mask ? value & (alignment - 1) : value % alignment;
  if (over == 0) return value;
  return CheckedAdd(value, alignment - over);
}

static_assert(CheckedAlignUp(33, 32) == 64U && CheckedAlignUp(64, 32) == 64U);
static_assert(!CheckedAlignUp(UINT64_MAX, 32) && !CheckedMul(UINT64_MAX, 2));

}  // namespace ggufgate
