#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "format/tensors/layout.h"
#include "mutate/memory/random.h"

namespace ggufgate::mutate {

// Numbers that make the arithmetic of a loader turn over at a place of our choosing. All of it is
// pure: the same numbers from the same state of `random`.

// kSignedBits is how many bits a size has that loaders keep in a signed number.
inline constexpr unsigned kSignedBits = 63;

// Factors are the dimensions of a tensor; those behind the last are 1.
using Factors = std::array<std::uint64_t, kReadDimensions>;

// InverseOf is the number whose product with `odd` is 1 modulo 2^64.
[[nodiscard]] std::uint64_t InverseOf(std::uint64_t odd);

// WrappingFactor is a number from 1 to 2^63 - 1 whose product with `factor` is 2^64 or more and
// `target` modulo 2^64; any of those there are. There is none where target has fewer factors of two
// than `factor`; to an odd factor there is one number below 2^64, and it may be too large.
[[nodiscard]] std::optional<std::uint64_t> WrappingFactor(Random& random, std::uint64_t factor,
                                                          std::uint64_t target);

// WrappingProduct is `count` (2 to 4) factors from 1 to 2^63 - 1 whose product is 2^64 or more and
// `target` modulo 2^64, which is a multiple of `step`, a power of two of at most 2^16. So is the
// first.
[[nodiscard]] std::optional<Factors> WrappingProduct(Random& random, std::uint64_t target,
                                                     std::uint64_t step, std::size_t count);

// ProductBetween is `count` (1 to 4) factors of at most 2^63 - 1 whose product, which does not
// wrap, is from `least` to `most`. The first is a multiple of `step`.
[[nodiscard]] std::optional<Factors> ProductBetween(Random& random, std::uint64_t least,
                                                    std::uint64_t most, std::uint64_t step,
                                                    std::size_t count);

// WrappingRow is a row length, a multiple of `block_elements` (a power of two) of at most 2^63 - 1,
// whose product with `block_bytes` leaves 63 bits, and divided by `block_elements` after it wrapped
// modulo 2^64 is `target`: what a loader takes for the bytes of a row that multiplies first.
// nullopt where there is none: few rows are in reach.
[[nodiscard]] std::optional<std::uint64_t> WrappingRow(Random& random, std::uint64_t block_elements,
                                                       std::uint64_t block_bytes,
                                                       std::uint64_t target);

// SizeThatPadsOver is a multiple of `step` below 2^bits (63 or 64) which, rounded up to `alignment`
// (a power of two), is 2^bits. nullopt when step leaves no such number.
[[nodiscard]] std::optional<std::uint64_t> SizeThatPadsOver(Random& random, std::uint64_t alignment,
                                                            std::uint64_t step, unsigned bits);

// FillWithWrappingSum makes `parts`, at least three, multiples of `unit` (a power of two of at most
// 2^32) from `unit` to 2^63 - unit whose sum with `first` is 2^64 or more and `target` modulo 2^64.
// `first` and `target` are multiples of unit below 2^62.
void FillWithWrappingSum(Random& random, std::uint64_t first, std::uint64_t target,
                         std::uint64_t unit, std::span<std::uint64_t> parts);

// FillWithSum makes `parts` multiples of `unit` (a power of two), from `unit` to 2^63 - unit, whose
// sum is `sum`. That is a multiple of unit and in reach.
void FillWithSum(Random& random, std::uint64_t sum, std::uint64_t unit,
                 std::span<std::uint64_t> parts);

// NumberBeyond is `least` or more: most often a number at which the arithmetic of loaders turns
// over, by itself or times the size of what they keep.
[[nodiscard]] std::uint64_t NumberBeyond(Random& random, std::uint64_t least);

}  // namespace ggufgate::mutate
