// The records that repair keeps because of an example.

#include "mutate/repair/examples.h"

#include <gtest/gtest.h>

#include <vector>

#include "mutate/build/compose.h"
#include "mutate/examples/examples.h"

namespace ggufgate::mutate::examples {
namespace {

Example Of(ExampleRecord bad, ExampleRecord good, Kept kept, std::string_view severities = "eeee") {
  return {.rule = "rule",
          .variant = "",
          .severities = severities,
          .bad = bad,
          .good = good,
          .kept = kept,
          .what = "what",
          .slug = "example-rule"};
}

class Examples : public ::testing::Test {
 protected:
  bool Keeps(const Example& example, const Entry& entry) { return Permits(example, entry, "test"); }
  template <Scalar T>
  bool KeepsNumber(const Example& example, std::string_view key, T number) {
    return Keeps(example, NumberEntry(arena, key, number));
  }

  Arena arena{4096};
};

TEST_F(Examples, KeepOnlyTheGoodNumber) {
  const Example example = Of(Key("a", U32(1)), Key("a", U32(0x10002)), kGood);
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(example, "a", 0x10002));
  EXPECT_FALSE(KeepsNumber<std::uint32_t>(example, "a", 2));
  EXPECT_FALSE(KeepsNumber<std::uint64_t>(example, "a", 0x10002));
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(example, "b", 1));  // another key
  EXPECT_FALSE(KeepsNumber(Of(Key("a", Bool(2)), Key("a", Bool(1)), kGood), "a", false));
  EXPECT_TRUE(KeepsNumber(Of(Key("a", I8(0)), Key("a", I8(-1)), kGood), "a", std::int8_t{-1}));
  EXPECT_TRUE(KeepsNumber(Of(Key("a", F64(0)), Key("a", F64(0.5)), kGood), "a", 0.5));
}

TEST_F(Examples, KeepOnlyTheGoodText) {
  const Example example = Of(Key("a", Text("x")), Key("a", Text("y\0")), kGood);
  EXPECT_TRUE(Keeps(example, TextEntry(arena, "a", std::string_view("y\0", 2))));
  EXPECT_FALSE(Keeps(example, TextEntry(arena, "a", "y")));
  EXPECT_FALSE(KeepsNumber<std::uint32_t>(example, "a", 0));
}

TEST_F(Examples, KeepOnlyTheGoodArray) {
  const Example numbers = Of(Key("a", U8(0)), Key("a", Array(2, U16(7))), kGood);
  const auto array = [&](ValueType element, std::uint64_t count, std::uint64_t number) {
    return EntryOf("a", ValueType::kArray, PlainArrayValue(arena, element, count, number, "ab"));
  };
  EXPECT_TRUE(Keeps(numbers, array(ValueType::kU16, 2, 7)));
  EXPECT_FALSE(Keeps(numbers, array(ValueType::kU16, 3, 7)));
  EXPECT_FALSE(Keeps(numbers, array(ValueType::kI16, 2, 7)));
  EXPECT_FALSE(Keeps(numbers, array(ValueType::kU16, 2, 8)));
  EXPECT_FALSE(KeepsNumber<std::uint8_t>(numbers, "a", 0));
  const Example texts = Of(Key("a", U8(0)), Key("a", Array(2, Text("ab"))), kGood);
  EXPECT_TRUE(Keeps(texts, array(ValueType::kString, 2, 0)));
  EXPECT_FALSE(Keeps(texts, array(ValueType::kString, 1, 0)));
}

TEST_F(Examples, KeepNumbersUpToABound) {
  const Example least = Of(Key("a", U32(0)), Key("a", U32(1)), kAtLeast);
  EXPECT_FALSE(KeepsNumber<std::uint32_t>(least, "a", 0));
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(least, "a", 1));
  EXPECT_TRUE(KeepsNumber<std::uint64_t>(least, "a", UINT64_MAX));
  EXPECT_FALSE(KeepsNumber<std::int32_t>(least, "a", -1));
  EXPECT_FALSE(KeepsNumber(least, "a", 1.0F));
  const Example most = Of(Key("a", U32(9)), Key("a", U32(8)), kAtMost);
  EXPECT_TRUE(KeepsNumber<std::uint8_t>(most, "a", 8));
  EXPECT_FALSE(KeepsNumber<std::uint8_t>(most, "a", 9));
}

TEST_F(Examples, KeepNoRecordWithABadKey) {
  const Example example = Of(Key("a", U32(1)), Key("b", U32(1)), kGood);
  EXPECT_FALSE(KeepsNumber<std::uint32_t>(example, "a", 1));
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(example, "b", 2));
}

TEST_F(Examples, KnowKeysOfTheArchitecture) {
  const Example example = Of(Key("{arch}.a", U32(0)), Key("{arch}.a", U32(1)), kGood);
  EXPECT_FALSE(KeepsNumber<std::uint32_t>(example, "test.a", 0));
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(example, "test.a", 1));
  for (const std::string_view other : {"llama.a", "test.b.a", "test.a.b", "a", ".a", "test.a."}) {
    EXPECT_TRUE(KeepsNumber<std::uint32_t>(example, other, 0)) << other;
  }
  EXPECT_TRUE(Permits(example, NumberEntry(arena, ".a", std::uint32_t{0}), ""));
}

TEST_F(Examples, KeepOnlyTheGoodTensor) {
  const Example example =
      Of(Tensor("t", TensorType::kF32, {8}), Tensor("t", TensorType::kF16, {8, 2}), kGood);
  mutate::Tensor tensor{.name = "t", .dimension_count = 2, .type = IdOf(TensorType::kF16)};
  tensor.dims = {8, 2, 1, 1, 1};
  EXPECT_TRUE(Permits(example, tensor));
  tensor.dimension_count = 3;
  EXPECT_FALSE(Permits(example, tensor));
  tensor.dimension_count = 2;
  tensor.dims[1] = 3;
  EXPECT_FALSE(Permits(example, tensor));
  tensor.dims[1] = 2;
  tensor.type = IdOf(TensorType::kF32);
  EXPECT_FALSE(Permits(example, tensor));
  tensor.name = "u";
  EXPECT_TRUE(Permits(example, tensor));
  EXPECT_FALSE(Permits(
      Of(Tensor("u", TensorType::kF32, {8}), Tensor("t", TensorType::kF32, {8}), kGood), tensor));
}

TEST_F(Examples, OfWarningsDropNothing) {
  EXPECT_TRUE(
      KeepsNumber<std::uint32_t>(Of(Key("a", U32(0)), Key("a", U32(1)), kGood, "weee"), "a", 0));
  EXPECT_TRUE(KeepsNumber<std::uint32_t>(Of(Key("a", U32(0)), Key("a", U32(1)), kAll), "a", 0));
}

}  // namespace
}  // namespace ggufgate::mutate::examples
