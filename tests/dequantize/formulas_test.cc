// Single blocks computed by hand: a zero, a sign, and a scale out of range for each type.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "dequantize/dequantize.h"
#include "tests/support/dequantized.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::uint32_t BitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<float> DecodedBlocks(TensorType type, const std::vector<std::uint8_t>& blocks) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(type));
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(type, blocks, out), Dequantized::kDone);
  return out;
}

// The bytes of one number, lowest first.
template <typename T>
std::vector<std::uint8_t> BytesOf(T value) {
  std::vector<std::uint8_t> bytes(sizeof(T));
  Store(value, ByteOrder::kLittle, bytes);
  return bytes;
}

TEST(F16, WidensEveryHalfExactly) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const float sign = half >= 0x8000 ? -1.0F : 1.0F;
    const int exponent = static_cast<int>(half >> 10 & 31);
    const int mantissa = static_cast<int>(half & 1023);
    const float out = DecodedBlocks(TensorType::kF16, BytesOf(static_cast<std::uint16_t>(half)))[0];
    if (exponent == 31 && mantissa != 0) {
      const auto payload = static_cast<unsigned>(mantissa) << 13;
      EXPECT_EQ(BitsOf(out), (half & 0x8000U) << 16 | 0x7FC0'0000U | payload) << half;
      continue;
    }
    const float value = exponent == 31 ? kInfinity
                        : exponent == 0
                            ? std::ldexp(static_cast<float>(mantissa), -24)
                            : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
    EXPECT_EQ(BitsOf(out), BitsOf(sign * value)) << half;
  }
}

TEST(BF16, MovesBits) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float out =
        DecodedBlocks(TensorType::kBF16, BytesOf(static_cast<std::uint16_t>(bits)))[0];
    EXPECT_EQ(BitsOf(out), bits << 16) << bits;
  }
}

TEST(F32, IsWhatItIs) {
  for (const std::uint32_t bits :
       {0U, 1U, 0x8000'0000U, 0x7F80'0001U, 0x7FFF'FFFFU, 0x3F80'0001U}) {
    EXPECT_EQ(BitsOf(DecodedBlocks(TensorType::kF32, BytesOf(bits))[0]), bits);
  }
}

TEST(F64, RoundsOnceToNearestEven) {
  const auto one = [](double value) { return DecodedBlocks(TensorType::kF64, BytesOf(value))[0]; };
  EXPECT_EQ(one(1.0 + 0x1p-24), 1.0F);               // a tie, to even
  EXPECT_EQ(one(1.0 + 0x1.8p-23), 1.0F + 0x1p-22F);  // a tie, to even
  EXPECT_EQ(one(0x1.ffffffp127), kInfinity);
  EXPECT_EQ(one(0x1.fffffefffffffp127), std::numeric_limits<float>::max());
  EXPECT_EQ(one(-0x1p-149), -0x1p-149F);
  EXPECT_EQ(BitsOf(one(-0x1p-151)), 0x8000'0000U);
  EXPECT_TRUE(std::isnan(one(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Integers, RoundOnceToNearestEven) {
  EXPECT_EQ(DecodedBlocks(TensorType::kI8, {0x80})[0], -128.0F);
  EXPECT_EQ(DecodedBlocks(TensorType::kI16, BytesOf(std::int16_t{-32768}))[0], -32768.0F);
  EXPECT_EQ(DecodedBlocks(TensorType::kI32, BytesOf(std::int32_t{16777217}))[0], 16777216.0F);
  EXPECT_EQ(DecodedBlocks(TensorType::kI32, BytesOf(std::int32_t{16777219}))[0], 16777220.0F);
  EXPECT_EQ(DecodedBlocks(TensorType::kI64, BytesOf(INT64_MIN))[0], -0x1p63F);
  // A conversion through a double would round twice, down.
  EXPECT_EQ(DecodedBlocks(TensorType::kI64,
                          BytesOf((std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1))[0],
            0x1.000002p60F);
}

TEST(Q8_1, DecodesAsQ8_0WithASumBetween) {
  std::vector<std::uint8_t> block(36, 0x7F);
  block[0] = 0x00;
  block[1] = 0x38;  // 0.5; the sum is a NaN, and does not matter
  EXPECT_THAT(DecodedBlocks(TensorType::kQ8_1, block), Each(63.5F));
}

// (8 - 8) · d is -0 for a negative scale.
TEST(Q4_0, AZeroHasTheSignOfItsScale) {
  std::vector<std::uint8_t> block(18, 0x88);
  block[0] = 0x00;
  block[1] = 0xBC;
  for (const float value : DecodedBlocks(TensorType::kQ4_0, block))
    EXPECT_EQ(BitsOf(value), 0x8000'0000U);
}

// A sum that is zero is +0.
TEST(Q4_1, AZeroSumIsPositive) {
  std::vector<std::uint8_t> block(20, 0x00);
  block[1] = 0xBC;  // d = -1, m = +0
  for (const float value : DecodedBlocks(TensorType::kQ4_1, block)) EXPECT_EQ(BitsOf(value), 0U);
}

TEST(Q1_0, AZeroBitTurnsTheSign) {
  std::vector<std::uint8_t> block(18, 0x00);
  for (const float value : DecodedBlocks(TensorType::kQ1_0, block))
    EXPECT_EQ(BitsOf(value), 0x8000'0000U);
}

TEST(MXFP4, SmallAndLargeScales) {
  std::vector<std::uint8_t> block(17, 0x71);  // codes 1 and 12
  const auto first_and_last = [&](std::uint8_t scale) {
    block[0] = scale;
    const std::vector<float> out = DecodedBlocks(TensorType::kMXFP4, block);
    return std::pair(out.front(), out.back());
  };
  EXPECT_EQ(first_and_last(0), std::pair(0x1p-128F, 0x1.8p-125F));
  EXPECT_EQ(first_and_last(1), std::pair(0x1p-127F, 0x1.8p-124F));
  EXPECT_EQ(first_and_last(253), std::pair(0x1p125F, kInfinity));
  EXPECT_EQ(first_and_last(255), std::pair(0x1p127F, kInfinity));
}

TEST(TQ2_0, AFourthLevelIsTwo) {
  std::vector<std::uint8_t> block(66, 0xFF);
  block[64] = 0x00;
  block[65] = 0x3C;
  EXPECT_THAT(DecodedBlocks(TensorType::kTQ2_0, block), Each(2.0F));
}

TEST(Q8_K, RoundsAndOverflows) {
  std::vector<std::uint8_t> block(292, 2);
  Store(std::numeric_limits<float>::max(), ByteOrder::kLittle, block);
  EXPECT_THAT(DecodedBlocks(TensorType::kQ8_K, block), Each(kInfinity));
  std::fill(block.begin() + 4, block.end(), std::uint8_t{3});
  Store(1.0F + 0x1p-23F, ByteOrder::kLittle, block);
  EXPECT_THAT(DecodedBlocks(TensorType::kQ8_K, block),
              Each(3.0F + 0x1p-21F));  // 3 + 1.5 ulp, to even
}

TEST(Scales, ThatAreNotFiniteMakeNanOfZeros) {
  std::vector<std::uint8_t> block(18, 0x08);  // 8 in the low halves: zero; 0 in the high ones: -8
  block[0] = 0x00;
  block[1] = 0x7C;
  const std::vector<float> out = DecodedBlocks(TensorType::kQ4_0, block);
  for (std::size_t j = 0; j < 16; ++j) EXPECT_TRUE(std::isnan(out[j]));
  for (std::size_t j = 16; j < 32; ++j) EXPECT_EQ(out[j], -kInfinity);
}

}  // namespace
}  // namespace ggufgate::testing
