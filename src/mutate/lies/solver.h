#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "format/tensors/layout.h"
#include "mutate/memory/random.h"

namespace ggufgate::mutate {

// Numbers that make a loader's arithmetic overflow in a chosen way. All functions are pure: the
// same state of `random` gives the same numbers.

// kSignedBits is the number of bits of a size that loaders store in a signed number.
inline constexpr unsigned kSignedBits = 63;

// Factors are the dimensions of a tensor; those after the last are 1.
using Factors = std::array<std::uint64_t, kReadDimensions>;

// InverseOf returns the number whose product with `odd` is 1 modulo 2^64.
[[nodiscard]] std::uint64_t InverseOf(std::uint64_t odd);

// WrappingFactor returns a random number from 1 to 2^63 - 1 whose product with `factor` is at least
// 2^64, and equals `target` modulo 2^64. It returns nullopt if `target` has fewer factors of two
// than `factor`. For an odd factor there is only one candidate below 2^64, which may be too large.
[[nodiscard]] std::optional<std::uint64_t> WrappingFactor(Random& random, std::uint64_t factor,
                                                          std::uint64_t target);

// WrappingProduct returns `count` (2 to 4) factors from 1 to 2^63 - 1 whose product is at least
// 2^64, and equals `target` modulo 2^64. `target` and the first factor are multiples of `step`, a
// power of two of at most 2^16.
[[nodiscard]] std::optional<Factors> WrappingProduct(Random& random, std::uint64_t target,
                                                     std::uint64_t step, std::size_t count);

// ProductBetween returns `count` (1 to 4) factors of at most 2^63 - 1 whose product does not
// overflow, and is from `least` to `most`. The first is a multiple of `step`.
[[nodiscard]] std::optional<Factors> ProductBetween(Random& random, std::uint64_t least,
                                                    std::uint64_t most, std::uint64_t step,
                                                    std::size_t count);

// WrappingRow returns a row length of at most 2^63 - 1, a multiple of `block_elements` (a power of
// two). Its product with `block_bytes` exceeds 63 bits. The product modulo 2^64, divided by
// `block_elements`, is `target`: the row size that a loader computes if it multiplies first. It
// returns nullopt if there is no such length; few targets are possible.
[[nodiscard]] std::optional<std::uint64_t> WrappingRow(Random& random, std::uint64_t block_elements,
                                                       std::uint64_t block_bytes,
                                                       std::uint64_t target);

// SizeThatPadsOver returns a multiple of `step` below 2^bits (63 or 64) that becomes 2^bits if
// rounded up to `alignment` (a power of two). nullopt if `step` allows none.
[[nodiscard]] std::optional<std::uint64_t> SizeThatPadsOver(Random& random, std::uint64_t alignment,
                                                            std::uint64_t step, unsigned bits);

// FillWithWrappingSum sets at least three `parts` to multiples of `unit` (a power of two of at most
// 2^32), from `unit` to 2^63 - unit. Their sum with `first` is at least 2^64, and equals `target`
// modulo 2^64. `first` and `target` must be multiples of unit below 2^62.
void FillWithWrappingSum(Random& random, std::uint64_t first, std::uint64_t target,
                         std::uint64_t unit, std::span<std::uint64_t> parts);

// FillWithSum sets `parts` to multiples of `unit` (a power of two), from `unit` to 2^63 - unit,
// with the sum `sum`. `sum` must be a possible multiple of unit.
void FillWithSum(Random& random, std::uint64_t sum, std::uint64_t unit,
                 std::span<std::uint64_t> parts);

// NumberBeyond returns `least` or more: usually a number that makes loaders' arithmetic overflow,
// alone or in a product with the size of their records.
[[nodiscard]] std::uint64_t NumberBeyond(Random& random, std::uint64_t least);

}  // namespace ggufgate::mutate
