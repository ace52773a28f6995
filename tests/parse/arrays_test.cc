#include "parse/arrays.h"

#include <gtest/gtest.h>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

std::vector<LeafArray> LeavesOf(const Parsed& parsed) {
  std::vector<LeafArray> leaves;
  LeafArrays arrays(parsed.document, parsed.document.metadata.front());
  while (const std::optional<LeafArray> leaf = arrays.Next()) leaves.push_back(*leaf);
  EXPECT_FALSE(arrays.Next()) << "after the last there is none";
  return leaves;
}

Parsed WithPayload(std::vector<std::uint8_t> payload, ByteOrder order) {
  Model model;
  model.byte_order = order;
  model.SetRaw("k", ValueType::kArray, std::move(payload));
  Limits limits;
  limits.array_depth = kDeepestArray;
  return ParseSound(model, limits);
}

TEST(LeafArrays, AScalarAndAStringHaveNone) {
  EXPECT_TRUE(LeavesOf(ParseSound(Model().Set("k", std::uint32_t{1}))).empty());
  EXPECT_TRUE(LeavesOf(ParseSound(Model().Set("k", "text"))).empty());
}

TEST(LeafArrays, AnArrayWithoutArraysIsItsOwnLeaf) {
  const Parsed parsed = ParseSound(Model().Set("k", std::vector<std::uint16_t>{1, 2, 3}));
  const std::vector<LeafArray> leaves = LeavesOf(parsed);
  ASSERT_EQ(leaves.size(), 1U);
  EXPECT_EQ(leaves.front().element_type, ValueType::kU16);
  EXPECT_EQ(leaves.front().count, 3U);
  EXPECT_EQ(leaves.front().elements, parsed.document.metadata.front().ElementsRange());
  EXPECT_EQ(leaves.front().index, 0U);
}

TEST(LeafArrays, AnEmptyArrayIsALeafToo) {
  const auto leaves = LeavesOf(ParseSound(Model().Set("k", std::vector<std::string>{})));
  ASSERT_EQ(leaves.size(), 1U);
  EXPECT_EQ(leaves.front().element_type, ValueType::kString);
  EXPECT_EQ(leaves.front().count, 0U);
  EXPECT_EQ(leaves.front().elements.size, 0U);
}

// The leaves of [[u8 u8 u8], [[], [f64]], ["a", "bc"], [[]]] are at known offsets from the first
// element on. The last one is an empty array of arrays.
TEST(LeafArrays, LeavesComeInFileOrderWithTheirOutermostIndex) {
  for (const ByteOrder order : kOrders) {
    Encoder payload(order);
    const auto head = [&](ValueType type, std::uint64_t count) {
      payload.Put(IdOf(type)).Put(count);
    };
    head(ValueType::kArray, 4);
    head(ValueType::kU8, 3);
    payload.PutZeros(3);
    head(ValueType::kArray, 2);
    head(ValueType::kI32, 0);
    head(ValueType::kF64, 1);
    payload.PutZeros(8);
    head(ValueType::kString, 2);
    payload.PutString("a").PutString("bc");
    head(ValueType::kArray, 0);
    const Parsed parsed = WithPayload(payload.Take(), order);
    const std::uint64_t begin = parsed.document.metadata.front().ElementsRange().begin;

    const std::vector<LeafArray> leaves = LeavesOf(parsed);
    ASSERT_EQ(leaves.size(), 4U);
    const auto expect = [&](std::size_t i, ValueType type, std::uint64_t count, ByteRange elements,
                            std::uint64_t index) {
      EXPECT_EQ(leaves.at(i).element_type, type) << i;
      EXPECT_EQ(leaves.at(i).count, count) << i;
      EXPECT_EQ(leaves.at(i).elements, elements) << i;
      EXPECT_EQ(leaves.at(i).index, index) << i;
    };
    expect(0, ValueType::kU8, 3, {.begin = begin + 12, .size = 3}, 0);
    expect(1, ValueType::kI32, 0, {.begin = begin + 39, .size = 0}, 1);
    expect(2, ValueType::kF64, 1, {.begin = begin + 51, .size = 8}, 1);
    expect(3, ValueType::kString, 2, {.begin = begin + 71, .size = 19}, 2);
  }
}

TEST(LeafArrays, TheDeepestArrayIsWalked) {
  const auto parsed = WithPayload(NestedPayload(kDeepestArray), ByteOrder::kLittle);
  const std::vector<LeafArray> leaves = LeavesOf(parsed);
  ASSERT_EQ(leaves.size(), 1U);
  EXPECT_EQ(leaves.front().elements.End(), parsed.file.size());
  EXPECT_EQ(parsed.document.BytesAt(leaves.front().elements).front(), 7);
}

TEST(LeafArrays, EmptyArraysOfArraysHaveNoLeaf) {
  Encoder payload(ByteOrder::kLittle);
  payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{3});
  for (int i = 0; i < 3; ++i) payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{0});
  EXPECT_TRUE(LeavesOf(WithPayload(payload.Take(), ByteOrder::kLittle)).empty());
}

TEST(LeafArrays, ManySiblingsKeepTheirIndexes) {
  Encoder payload(ByteOrder::kLittle);
  payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{500});
  for (std::uint64_t i = 0; i < 500; ++i) {
    payload.Put(IdOf(ValueType::kU8)).Put(i % 5).PutZeros(i % 5);
  }
  const auto leaves = LeavesOf(WithPayload(payload.Take(), ByteOrder::kLittle));
  ASSERT_EQ(leaves.size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(leaves.at(i).index, i);
    EXPECT_EQ(leaves.at(i).count, i % 5);
  }
}

TEST(StringArray, WalksTheStringsWithPlaceAndIndex) {
  for (const ByteOrder order : kOrders) {
    Model model;
    model.byte_order = order;
    const std::vector<std::string> texts = {"one", "", "three", std::string(300, 'x')};
    model.Set("k", texts);
    const Parsed parsed = ParseSound(model);
    const LeafArray leaf = LeavesOf(parsed).front();

    StringArray strings(parsed.document, leaf);
    std::uint64_t at = leaf.elements.begin;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_TRUE(strings.Next());
      EXPECT_EQ(strings.text(), texts.at(i));
      EXPECT_EQ(AsText(strings.bytes()), texts.at(i));
      EXPECT_EQ(strings.index(), i);
      EXPECT_EQ(strings.range(), (ByteRange{.begin = at + 8, .size = texts.at(i).size()}));
      at = strings.range().End();
    }
    EXPECT_FALSE(strings.Next());
    EXPECT_FALSE(strings.Next()) << "and stays at its end";
    EXPECT_EQ(at, leaf.elements.End());
  }
}

TEST(StringArray, AnEmptyOneHasNoNext) {
  const Parsed parsed = ParseSound(Model().Set("k", std::vector<std::string>{}));
  StringArray strings(parsed.document, LeavesOf(parsed).front());
  EXPECT_FALSE(strings.Next());
}

TEST(StringArray, WalksAnInnerArray) {
  Encoder payload(ByteOrder::kBig);
  payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{2});
  payload.Put(IdOf(ValueType::kString)).Put(std::uint64_t{1}).PutString("first");
  payload.Put(IdOf(ValueType::kString)).Put(std::uint64_t{2}).PutString("a").PutString("b");
  const Parsed parsed = WithPayload(payload.Take(), ByteOrder::kBig);
  std::string all;
  for (const LeafArray& leaf : LeavesOf(parsed)) {
    for (StringArray strings(parsed.document, leaf); strings.Next();) {
      all += std::to_string(leaf.index) + ":" + std::string(strings.text()) + " ";
    }
  }
  EXPECT_EQ(all, "0:first 1:a 1:b ");
}

}  // namespace
}  // namespace ggufgate::testing
