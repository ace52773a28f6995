#include "dequantize/dequantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/dequantized.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

constexpr float kUntouched = -12345.0F;

std::vector<float> Decoded(const TensorTypeInfo& info, Bytes blocks) {
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements, kUntouched);
  EXPECT_EQ(Dequantize(info.type, blocks, out), Dequantized::kDone);
  return out;
}

TEST(Dequantize, TakesEveryTypeOfTheTable) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const std::vector<std::uint8_t> zeros(2 * std::size_t{info.block_bytes});
    std::vector<float> out(2 * std::size_t{info.block_elements}, kUntouched);
    EXPECT_EQ(Dequantize(info.type, zeros, out), Dequantized::kDone) << info.name;
    EXPECT_THAT(out, Each(0.0F)) << info.name;
  }
}

TEST(Dequantize, RefusesANumberThatIsNoType) {
  float out = kUntouched;
  const std::vector<std::uint8_t> bytes(4);
  for (const std::uint32_t id : {4U, 5U, 31U, 38U, 43U, 0xFFFF'FFFFU}) {
    EXPECT_EQ(Dequantize(TensorType{id}, bytes, std::span(&out, 1)), Dequantized::kUnknownType);
    EXPECT_EQ(DequantizeElements(TensorType{id}, bytes, 0, std::span(&out, 1)),
              Dequantized::kUnknownType);
    EXPECT_EQ(DequantizeRows(TensorType{id}, bytes, 1, 0, std::span(&out, 1)),
              Dequantized::kUnknownType);
    EXPECT_FALSE(DequantizeElement(TensorType{id}, bytes, 0));
  }
  EXPECT_EQ(out, kUntouched);
}

TEST(Dequantize, RefusesSizesThatDoNotFitAndWritesNothing) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const std::vector<std::uint8_t> blocks(3 * std::size_t{info.block_bytes});
    std::vector<float> out(3 * std::size_t{info.block_elements} + 1, kUntouched);
    const std::span<float> right = std::span(out).first(3 * std::size_t{info.block_elements});
    if (info.block_bytes > 1) {
      EXPECT_EQ(Dequantize(info.type, std::span(blocks).first(blocks.size() - 1), right),
                Dequantized::kPartialBlock);
    }
    EXPECT_EQ(Dequantize(info.type, blocks, out), Dequantized::kWrongSize);
    EXPECT_EQ(Dequantize(info.type, blocks, right.first(right.size() - 1)),
              Dequantized::kWrongSize);
    EXPECT_THAT(out, Each(kUntouched)) << info.name;
    EXPECT_EQ(Dequantize(info.type, blocks, right), Dequantized::kDone);
    EXPECT_EQ(out.back(), kUntouched) << info.name;
  }
}

TEST(Dequantize, NothingIsDecodedToNothing) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    EXPECT_EQ(Dequantize(info.type, {}, {}), Dequantized::kDone);
    EXPECT_EQ(DequantizeElements(info.type, {}, 0, {}), Dequantized::kDone);
    EXPECT_EQ(DequantizeElements(info.type, {}, 1, {}), Dequantized::kOutOfRange);
  }
}

// Random and edge blocks, placed so that a sanitizer detects an access beyond either span.
TEST(Dequantize, IsTotal) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    for (std::size_t count = 1; count < 20; ++count) {
      Decoded(info, RandomBlocks(info, count, count));
    }
    Decoded(info, EdgeBlocks(info));
  }
}

TEST(Dequantize, ABlockDependsOnNoOther) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const auto blocks = RandomBlocks(info, 33, 5);
    const std::vector<float> whole = Decoded(info, blocks);
    std::vector<float> apart;
    for (std::size_t at = 0; at < blocks.size(); at += info.block_bytes) {
      const auto one = Decoded(info, std::span(blocks).subspan(at, info.block_bytes));
      apart.insert(apart.end(), one.begin(), one.end());
    }
    EXPECT_TRUE(SameFloats(apart, whole)) << info.name;
  }
}

TEST(DequantizeElements, GivesTheSameAsTheWhole) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const auto blocks = RandomBlocks(info, 7, 9);
    const std::vector<float> whole = Decoded(info, blocks);
    const std::size_t block = info.block_elements;
    for (const std::size_t first : {std::size_t{0}, block / 2, block, 2 * block + block / 3}) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, block, 3 * block + 1}) {
        std::vector<float> out(count, kUntouched);
        ASSERT_EQ(DequantizeElements(info.type, blocks, first, out), Dequantized::kDone);
        EXPECT_TRUE(SameFloats(out, std::span(whole).subspan(first, count)))
            << info.name << ' ' << first << '+' << count;
      }
    }
  }
}

TEST(DequantizeElements, RefusesWhatIsNotThere) {
  const std::vector<std::uint8_t> two(36);
  std::vector<float> out(2, kUntouched);
  EXPECT_EQ(DequantizeElements(TensorType::kQ4_0, two, 62, out), Dequantized::kDone);
  out.assign(2, kUntouched);
  EXPECT_EQ(DequantizeElements(TensorType::kQ4_0, two, 63, out), Dequantized::kOutOfRange);
  EXPECT_EQ(DequantizeElements(TensorType::kQ4_0, two, 65, out), Dequantized::kOutOfRange);
  EXPECT_EQ(DequantizeElements(TensorType::kQ4_0, two, UINT64_MAX, out), Dequantized::kOutOfRange);
  EXPECT_EQ(DequantizeElements(TensorType::kQ4_0, std::span(two).first(35), 0, out),
            Dequantized::kPartialBlock);
  EXPECT_THAT(out, Each(kUntouched));
}

TEST(DequantizeElement, GivesOne) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const auto blocks = RandomBlocks(info, 2, 3);
    const std::vector<float> whole = Decoded(info, blocks);
    for (std::size_t i = 0; i < whole.size(); i += info.block_elements / 8 + 1) {
      const std::optional<float> one = DequantizeElement(info.type, blocks, i);
      ASSERT_TRUE(one) << info.name;
      EXPECT_TRUE(SameFloats(std::span(&*one, 1), std::span(whole).subspan(i, 1))) << info.name;
    }
    EXPECT_FALSE(DequantizeElement(info.type, blocks, whole.size())) << info.name;
  }
}

TEST(DequantizeRows, GivesRows) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(TensorType::kQ6_K));
  const auto blocks = RandomBlocks(info, 12, 1);  // four rows of 768
  const std::vector<float> whole = Decoded(info, blocks);
  std::vector<float> out(std::size_t{2} * 768);
  ASSERT_EQ(DequantizeRows(info.type, blocks, 768, 1, out), Dequantized::kDone);
  EXPECT_TRUE(SameFloats(out, std::span(whole).subspan(768, out.size())));
  ASSERT_EQ(DequantizeRows(info.type, blocks, 768, 2, out), Dequantized::kDone);
  EXPECT_EQ(DequantizeRows(info.type, blocks, 768, 4, {}), Dequantized::kDone);
}

TEST(DequantizeRows, RefusesRowsThatAreNotThere) {
  const std::vector<std::uint8_t> blocks(12 * 210);
  std::vector<float> out(std::size_t{2} * 768, kUntouched);
  const auto rows = [&](std::uint64_t row_elements, std::uint64_t first) {
    return DequantizeRows(TensorType::kQ6_K, blocks, row_elements, first, out);
  };
  EXPECT_EQ(rows(768, 3), Dequantized::kOutOfRange);
  EXPECT_EQ(rows(768, 5), Dequantized::kOutOfRange);
  EXPECT_EQ(rows(768, UINT64_MAX / 2), Dequantized::kOutOfRange);
  EXPECT_EQ(rows(0, 0), Dequantized::kPartialRow);
  EXPECT_EQ(rows(384, 0), Dequantized::kPartialRow);   // a block and a half
  EXPECT_EQ(rows(1280, 0), Dequantized::kPartialRow);  // 2.4 rows
  EXPECT_EQ(rows(1024, 0), Dequantized::kWrongSize);   // a row and a half
  EXPECT_THAT(out, Each(kUntouched));
}

TEST(WordsFor, SaysSomethingElseForEach) {
  std::vector<std::string_view> words;
  for (unsigned i = 0; i <= static_cast<unsigned>(Dequantized::kPartialRow); ++i) {
    words.push_back(WordsFor(Dequantized{static_cast<std::uint8_t>(i)}));
    EXPECT_THAT(words.back(), Not(IsEmpty()));
  }
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
  EXPECT_THAT(WordsFor(Dequantized{200}), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
