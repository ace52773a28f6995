// Blocks of big-endian files.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dequantize/dequantize.h"
#include "dequantize/swap_numbers.h"
#include "tests/support/dequantized.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

std::vector<float> DecodedInOrder(TensorType type, Bytes blocks, ByteOrder order) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(type));
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(type, blocks, out, order), Dequantized::kDone);
  return out;
}

TEST(BigEndian, PlainNumbersHaveTheirHighByteFirst) {
  const auto one = [](TensorType type, std::vector<std::uint8_t> bytes) {
    return DecodedInOrder(type, bytes, ByteOrder::kBig);
  };
  EXPECT_THAT(one(TensorType::kF32, {0x3F, 0xC0, 0, 0}), ElementsAre(1.5F));
  EXPECT_THAT(one(TensorType::kF16, {0xC0, 0x00}), ElementsAre(-2.0F));
  EXPECT_THAT(one(TensorType::kBF16, {0x3F, 0x80}), ElementsAre(1.0F));
  EXPECT_THAT(one(TensorType::kF64, {0x40, 0x08, 0, 0, 0, 0, 0, 0}), ElementsAre(3.0F));
  EXPECT_THAT(one(TensorType::kI8, {0xFF, 0x02}), ElementsAre(-1.0F, 2.0F));
  EXPECT_THAT(one(TensorType::kI16, {0x01, 0x00}), ElementsAre(256.0F));
  EXPECT_THAT(one(TensorType::kI32, {0x00, 0x01, 0x00, 0x00}), ElementsAre(65536.0F));
  EXPECT_THAT(one(TensorType::kI64, {0, 0, 0, 1, 0, 0, 0, 0}), ElementsAre(4294967296.0F));
}

TEST(BigEndian, OnlyTheScaleOfQ8_0Turns) {
  std::vector<std::uint8_t> block(34);
  block[0] = 0x3C;  // 1.0
  for (std::uint8_t i = 0; i < 32; ++i) block[2U + i] = i;
  const std::vector<float> out = DecodedInOrder(TensorType::kQ8_0, block, ByteOrder::kBig);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], static_cast<float>(i));
}

TEST(BigEndian, TheFifthBitsOfQ5_0AreAWord) {
  std::vector<std::uint8_t> block(22);
  block[0] = 0x3C;
  block[2] = 0x80;  // the highest bit of the word: element 31
  const std::vector<float> out = DecodedInOrder(TensorType::kQ5_0, block, ByteOrder::kBig);
  EXPECT_EQ(std::ranges::count(out, -16.0F), 31);
  EXPECT_EQ(out[31], 0.0F);
}

// A word of IQ2_XXS contains signs and a scale; the indexes before it are bytes.
TEST(BigEndian, TheWordOfSignsOfIQ2_XXSTurnsAndTheIndexesDoNot) {
  std::vector<std::uint8_t> block(66);
  block[0] = 0x3C;
  block[2] = 1;     // first entry: {43, 8, 8, …}
  block[9] = 0x01;  // the lowest byte of the first word: signs of the first group, index 1
  const std::vector<float> out = DecodedInOrder(TensorType::kIQ2_XXS, block, ByteOrder::kBig);
  EXPECT_EQ(out[0], -43.0F / 8);
  EXPECT_EQ(out[1], 1.0F);
  EXPECT_EQ(out[7], -1.0F);  // the parity
  EXPECT_EQ(out[8], 1.0F);
}

TEST(BigEndian, TurningTheNumbersIsAllThereIsToIt) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    for (const std::size_t count : {1U, 16U, 17U, 40U}) {
      const auto little = RandomBlocks(info, count, count);
      std::vector<std::uint8_t> big = little;
      SwapNumbers(info, big);
      const bool turns = info.type != TensorType::kI8 && info.type != TensorType::kMXFP4 &&
                         info.type != TensorType::kNVFP4;
      EXPECT_EQ(big != little, turns) << info.name;
      EXPECT_TRUE(SameFloats(DecodedInOrder(info.type, big, ByteOrder::kBig),
                             DecodedInOrder(info.type, little, ByteOrder::kLittle)))
          << info.name;
      SwapNumbers(info, big);
      EXPECT_EQ(big, little) << info.name;
    }
  }
}

TEST(BigEndian, ElementsAreTheSameOnes) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(TensorType::kQ4_K));
  const auto blocks = RandomBlocks(info, 40, 2);
  const std::vector<float> whole = DecodedInOrder(info.type, blocks, ByteOrder::kBig);
  std::vector<float> some(9000);
  ASSERT_EQ(DequantizeElements(info.type, blocks, 100, some, ByteOrder::kBig), Dequantized::kDone);
  EXPECT_TRUE(SameFloats(some, std::span(whole).subspan(100, some.size())));
}

}  // namespace
}  // namespace ggufgate::testing
