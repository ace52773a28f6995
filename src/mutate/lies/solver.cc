#include "mutate/lies/solver.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "format/loader_limits.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kTries = 64;
constexpr std::uint64_t kTop = kMaximumSize + 1;

// Multiply returns false on overflow; `product` is then the product modulo 2^64.
bool Multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

// AnyFactor returns a number from 1 to 2^63 - 1 of any magnitude.
std::uint64_t AnyFactor(Random& random) {
  return random.Next() >> random.Between(1, kSignedBits) | 1;
}

std::uint64_t RoundUpDivide(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

// Newton's iteration: each step doubles the number of correct bits. The first step has 5.
std::uint64_t InverseOf(std::uint64_t odd) {
  std::uint64_t inverse = odd * 3 ^ 2;
  for (int i = 0; i < 4; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// factor is odd * 2^twos: the answer is determined modulo 2^(64 - twos), and the bits above are
// free.
std::optional<std::uint64_t> WrappingFactor(Random& random, std::uint64_t factor,
                                            std::uint64_t target) {
  if (factor == 0) return std::nullopt;
  const auto twos = static_cast<unsigned>(std::countr_zero(factor));
  if ((target & ((std::uint64_t{1} << twos) - 1)) != 0) return std::nullopt;
  const std::uint64_t fixed = (target >> twos) * InverseOf(factor >> twos);
  for (std::size_t i = 0; i < kTries; ++i) {
    const std::uint64_t free = twos == 0 ? 0 : random.Next() << (64 - twos);
    const std::uint64_t kept = twos == 0 ? fixed : fixed & (UINT64_MAX >> twos);
    const std::uint64_t found = (kept | free) & (twos == 0 ? UINT64_MAX : kTop - 1);
    std::uint64_t product = 0;
    if (found != 0 && found < kTop && !Multiply(found, factor, product)) return found;
    if (twos == 0) break;
  }
  return std::nullopt;
}

std::optional<Factors> WrappingProduct(Random& random, std::uint64_t target, std::uint64_t step,
                                       std::size_t count) {
  if (count < 2 || count > kMaximumDimensions) return std::nullopt;
  for (std::size_t i = 0; i < 2 * kTries; ++i) {
    Factors factors = {1, 1, 1, 1, 1};
    std::uint64_t product = 1;
    for (std::size_t k = 0; k + 1 < count; ++k) {
      factors[k] = AnyFactor(random) >> (k == 0 ? 17 : 0) | 1;
      // Zero is a multiple of every power of two, so it needs many factors of two.
      if (target == 0) factors[k] = factors[k] >> 8 << 2 | 4;
      if (k == 0) factors[k] *= step;
      product *= factors[k];
    }
    if (product == 0) continue;
    const std::optional<std::uint64_t> last = WrappingFactor(random, product, target);
    if (!last) continue;
    factors[count - 1] = *last;
    return factors;
  }
  return std::nullopt;
}

std::optional<Factors> ProductBetween(Random& random, std::uint64_t least, std::uint64_t most,
                                      std::uint64_t step, std::size_t count) {
  if (count == 0 || count > kMaximumDimensions || step == 0 || least > most) return std::nullopt;
  for (std::size_t i = 0; i < kTries; ++i) {
    Factors factors = {1, 1, 1, 1, 1};
    std::uint64_t product = step;
    bool fits = true;
    for (std::size_t k = 1; k < count; ++k) {
      // Later tries use smaller factors: few products lie between close bounds.
      factors[k] = random.Next() >> random.Between(std::min<std::size_t>(i, 62) + 1, kSignedBits);
      factors[k] = std::max<std::uint64_t>(factors[k], 1);
      fits = fits && Multiply(product, factors[k], product);
    }
    if (!fits) continue;
    const std::uint64_t low = std::max<std::uint64_t>(RoundUpDivide(least, product), 1);
    const std::uint64_t high = std::min(most / product, (kTop - 1) / step);
    if (low > high) continue;
    factors[0] = step * random.Between(low, high);
    return factors;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> WrappingRow(Random& random, std::uint64_t block_elements,
                                         std::uint64_t block_bytes, std::uint64_t target) {
  const auto bits = static_cast<unsigned>(std::countr_zero(block_elements));
  for (std::size_t i = 0; i < kTries; ++i) {
    // The division discards the lower bits, so they are free; in a row of whole blocks they are 0.
    const std::optional<std::uint64_t> blocks =
        WrappingFactor(random, block_bytes << bits, target << bits);
    if (!blocks) return std::nullopt;
    // Only as many bits of `blocks` matter as the product keeps; those above are free.
    const std::uint64_t row = *blocks << bits & (kTop - 1);
    std::uint64_t product = 0;
    if (row == 0) continue;
    if (Multiply(row, block_bytes, product) && product < kTop) continue;
    if (product >> bits == target) return row;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> SizeThatPadsOver(Random& random, std::uint64_t alignment,
                                              std::uint64_t step, unsigned bits) {
  const std::uint64_t last = bits == kSignedBits ? kTop - 1 : UINT64_MAX;
  const std::uint64_t largest = last / step * step;
  const std::uint64_t least = last - (alignment - 1) + 1;  // wraps to 0 for an alignment of 1
  if (alignment < 2 || largest < least) return std::nullopt;
  return largest - step * random.Below((largest - least) / step + 1);
}

namespace {

__extension__ using Wide = unsigned __int128;

// Fill makes parts, each from 1 to `most` units, with a sum of `units`, which must be possible.
void Fill(Random& random, Wide units, std::uint64_t most, std::uint64_t unit,
          std::span<std::uint64_t> parts) {
  std::size_t behind = parts.size();
  for (std::uint64_t& part : parts) {
    --behind;
    const Wide most_behind = Wide{most} * behind;
    const std::uint64_t low =
        units > most_behind ? static_cast<std::uint64_t>(units - most_behind) : 1;
    const Wide high = std::min(Wide{most}, units - behind);
    const std::uint64_t some =
        random.Between(std::max<std::uint64_t>(low, 1), static_cast<std::uint64_t>(high));
    part = some * unit;
    units -= some;
  }
}

}  // namespace

void FillWithWrappingSum(Random& random, std::uint64_t first, std::uint64_t target,
                         std::uint64_t unit, std::span<std::uint64_t> parts) {
  const Wide sum = (Wide{1} << 64) + target - first;
  Fill(random, sum / unit, kTop / unit - 1, unit, parts);
}

void FillWithSum(Random& random, std::uint64_t sum, std::uint64_t unit,
                 std::span<std::uint64_t> parts) {
  Fill(random, sum / unit, kTop / unit - 1, unit, parts);
}

std::uint64_t NumberBeyond(Random& random, std::uint64_t least) {
  // Sizes that loaders allocate for a record, a string, a tensor.
  constexpr std::array<std::uint64_t, 14> kSizes = {2,  4,  8,  12, 16,  24,  32,
                                                    40, 48, 64, 88, 104, 336, 368};
  constexpr std::array<std::uint64_t, 8> kTurns = {
      0x7FFF'FFFF,           0x8000'0000,  0xFFFF'FFFF, 0x1'0000'0000,
      0x4000'0000'0000'0000, kMaximumSize, kTop,        UINT64_MAX};
  std::uint64_t number = 0;
  switch (random.Below(7)) {
    case 0:
      return least;
    case 1:
      number = random.Below(16);
      return number > UINT64_MAX - least ? UINT64_MAX : least + number;
    case 2:
      number = random.Pick(kTurns);
      break;
    case 3:
      number = UINT64_MAX / random.Pick(kSizes);
      number += random.Below(3);
      break;
    case 4:
      number = UINT64_MAX - random.Below(64);
      break;
    case 5:
      return UINT64_MAX;
    default:
      return random.Between(least, UINT64_MAX);
  }
  return std::max(number, least);
}

}  // namespace ggufgate::mutate
