#include "mutate/lies/solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "format/tensors/tensor_type.h"

namespace ggufgate::mutate {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kRounds = 20'000;
constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
constexpr Wide kTwoTo64 = Wide{1} << 64;

std::uint64_t AnyNumber(Random& random) { return random.Next() >> random.Below(64); }

// Product multiplies up to four factors below 2^63; it saturates at 2^127.
Wide Product(const Factors& factors) {
  Wide product = 1;
  for (const std::uint64_t factor : factors) {
    const Wide most = Wide{1} << 127;
    product = factor != 0 && product > most / factor ? most : product * factor;
  }
  return product;
}

std::uint64_t Wrapped(const Factors& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1},
                         [](std::uint64_t a, std::uint64_t b) { return a * b; });
}

TEST(Solver, InvertsOddNumbers) {
  Random random(1);
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t odd = AnyNumber(random) | 1;
    ASSERT_EQ(odd * InverseOf(odd), 1U) << odd;
  }
  EXPECT_EQ(InverseOf(1), 1U);
  EXPECT_EQ(InverseOf(UINT64_MAX), UINT64_MAX);
}

// HasWrappingFactor tries every number that gives the target: 2^twos of them below 2^64.
bool HasWrappingFactor(std::uint64_t factor, std::uint64_t target) {
  const auto twos = static_cast<unsigned>(std::countr_zero(factor));
  const std::uint64_t one = (target >> twos) * InverseOf(factor >> twos);
  for (std::uint64_t i = 0; i < std::uint64_t{1} << twos; ++i) {
    const std::uint64_t number = twos == 0 ? one : one + (i << (64 - twos));
    if (number < kTop && Wide{number} * factor >= kTwoTo64) return true;
  }
  return false;
}

TEST(Solver, FactorWrapsToTheTarget) {
  Random random(2);
  int found = 0;
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t any = std::max<std::uint64_t>(AnyNumber(random), 1);
    const std::uint64_t step = any & (0 - any);
    const std::uint64_t target = AnyNumber(random) / step * step;
    const auto factor = WrappingFactor(random, any, target);
    if (!factor) {
      ASSERT_LE(step, 8U) << any << " " << target;
      ASSERT_FALSE(HasWrappingFactor(any, target)) << any << " " << target;
      continue;
    }
    ++found;
    ASSERT_LT(*factor, kTop);
    ASSERT_EQ(*factor * any, target);
    ASSERT_GE(Wide{*factor} * any, kTwoTo64);
  }
  EXPECT_GT(found, kRounds / 2);
}

TEST(Solver, FactorKnowsWhatCannotBe) {
  Random random(3);
  EXPECT_FALSE(WrappingFactor(random, 4, 6)) << "no multiple of 4 is 6 modulo 2^64";
  EXPECT_FALSE(WrappingFactor(random, 0, 0));
  EXPECT_FALSE(WrappingFactor(random, 1, 7)) << "a product with 1 does not wrap";
}

TEST(Solver, ProductWrapsToTheTarget) {
  Random random(4);
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t step = std::uint64_t{1} << random.Below(9);
    const std::uint64_t target = i % 16 == 0 ? 0 : AnyNumber(random) / step * step;
    const std::size_t count = random.Between(2, 4);
    const auto factors = WrappingProduct(random, target, step, count);
    ASSERT_TRUE(factors) << target << " " << step << " " << count;
    ASSERT_EQ(Wrapped(*factors), target);
    ASSERT_GE(Product(*factors), kTwoTo64);
    ASSERT_EQ((*factors)[0] % step, 0U);
    for (std::size_t k = 0; k < factors->size(); ++k) {
      ASSERT_GE((*factors)[k], 1U);
      ASSERT_LT((*factors)[k], kTop) << "negative to a loader that counts with sign";
      if (k >= count) {
        ASSERT_EQ((*factors)[k], 1U);
      }
    }
  }
}

TEST(Solver, ProductLiesBetweenItsBounds) {
  Random random(5);
  struct Bounds {
    std::uint64_t least, most;
  };
  constexpr std::array<Bounds, 4> kBounds = {{{kTop, UINT64_MAX},
                                              {kTop, kTop + (1ULL << 32)},
                                              {kTop - (1ULL << 20), kTop - 1},
                                              {1ULL << 40, (1ULL << 40) + 4096}}};
  for (int i = 0; i < kRounds; ++i) {
    const Bounds bounds = random.Pick(kBounds);
    const std::uint64_t step = std::uint64_t{1} << random.Below(9);
    const auto factors =
        ProductBetween(random, bounds.least, bounds.most, step, random.Between(2, 4));
    ASSERT_TRUE(factors);
    ASSERT_GE(Product(*factors), bounds.least);
    ASSERT_LE(Product(*factors), bounds.most);
    ASSERT_EQ((*factors)[0] % step, 0U);
    ASSERT_TRUE(std::ranges::all_of(*factors, [](std::uint64_t f) { return f >= 1 && f < kTop; }));
  }
  EXPECT_FALSE(ProductBetween(random, 33, 63, 32, 1)) << "no multiple of 32 lies there";
}

TEST(Solver, RowWrapsToTheTarget) {
  Random random(6);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    // With two bytes, a row below 2^63 has fewer than 2^64 bytes.
    if (type.block_bytes <= 2) continue;
    const std::uint64_t unit = type.block_bytes & (0 - type.block_bytes);
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t target = unit * random.Below(1 << 20);
      const auto row = WrappingRow(random, type.block_elements, type.block_bytes, target);
      if (!row) continue;
      ++found;
      ASSERT_EQ(*row % type.block_elements, 0U) << type.name;
      ASSERT_LT(*row, kTop);
      ASSERT_GE(Wide{*row} * type.block_bytes, Wide{kTop});
      ASSERT_EQ(*row * type.block_bytes / type.block_elements, target) << type.name;
    }
    // If a block has an odd number of bytes, half of the targets need a row of 2^63 or more. About
    // one row in 16 is too short to exceed 63 bits.
    EXPECT_GE(found, type.block_bytes % 2 == 0 ? 800 : 300) << type.name;
  }
}

TEST(Solver, SizePadsOver) {
  Random random(7);
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t alignment = std::uint64_t{2} << random.Below(20);
    const std::uint64_t step = random.Between(1, 8);
    const unsigned bits = i % 2 == 0 ? 63 : 64;
    const auto size = SizeThatPadsOver(random, alignment, step, bits);
    if (!size) {
      ASSERT_GE(step, alignment / 2);
      continue;
    }
    ASSERT_EQ(*size % step, 0U);
    const Wide padded = (Wide{*size} + alignment - 1) / alignment * alignment;
    ASSERT_EQ(padded, Wide{1} << bits);
    ASSERT_LT(Wide{*size}, Wide{1} << bits);
  }
  EXPECT_FALSE(SizeThatPadsOver(random, 1, 1, 63)) << "nothing is padded to 1";
  EXPECT_FALSE(SizeThatPadsOver(random, 4, 4, 63)) << "multiples of 4 are not padded to 4";
}

TEST(Solver, SumWrapsToTheTarget) {
  Random random(8);
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t unit = std::uint64_t{1} << random.Below(21);
    const std::uint64_t first = (AnyNumber(random) >> 16) / unit * unit;
    const std::uint64_t target = (AnyNumber(random) >> 16) / unit * unit;
    std::vector<std::uint64_t> parts(random.Between(3, 8));
    FillWithWrappingSum(random, first, target, unit, parts);
    Wide sum = first;
    for (const std::uint64_t part : parts) {
      ASSERT_EQ(part % unit, 0U);
      ASSERT_GE(part, unit);
      ASSERT_LE(part, kTop - unit);
      sum += part;
    }
    ASSERT_EQ(static_cast<std::uint64_t>(sum), target);
    ASSERT_GE(sum, kTwoTo64);
  }
}

TEST(Solver, SumIsExact) {
  Random random(9);
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t unit = std::uint64_t{1} << random.Below(21);
    std::vector<std::uint64_t> parts(random.Between(1, 8));
    const std::uint64_t sum = ((AnyNumber(random) >> 2) / unit + parts.size()) * unit;
    FillWithSum(random, sum, unit, parts);
    ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}), sum);
    ASSERT_TRUE(std::ranges::all_of(
        parts, [unit](std::uint64_t part) { return part >= unit && part % unit == 0; }));
  }
}

TEST(Solver, NumbersBeyondAreNeverBelow) {
  Random random(10);
  bool exact = false;
  bool last = false;
  for (int i = 0; i < kRounds; ++i) {
    const std::uint64_t least = i % 8 == 0 ? UINT64_MAX : AnyNumber(random);
    const std::uint64_t number = NumberBeyond(random, least);
    ASSERT_GE(number, least);
    exact |= number == least && least != UINT64_MAX;
    last |= number == UINT64_MAX && least != UINT64_MAX;
  }
  EXPECT_TRUE(exact);
  EXPECT_TRUE(last);
}

}  // namespace
}  // namespace ggufgate::mutate
