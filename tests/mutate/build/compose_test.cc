// Generated records: their bytes are those of the format's encoder.

#include "mutate/build/compose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mutate/build/records.h"
#include "parse/model.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAreArray;

class Compose : public ::testing::Test {
 protected:
  // ExpectAs compares an entry with the last one of a model.
  static void ExpectAs(const Model& model, const Entry& entry) {
    EXPECT_EQ(entry.key, model.metadata.back().key);
    EXPECT_EQ(entry.type, model.metadata.back().type) << entry.key;
    EXPECT_THAT(entry.value, ElementsAreArray(model.metadata.back().payload)) << entry.key;
  }
  template <Scalar T>
  void ExpectNumber(T value) {
    ExpectAs(Model().Set("k", value), NumberEntry(arena_, "k", value));
  }
  template <Scalar T>
  void ExpectArray(const std::vector<T>& values) {
    auto at = values.begin();
    ExpectAs(Model().Set("k", values),
             ArrayEntry<T>(arena_, "k", values.size(), [&] { return *at++; }));
  }

  Arena arena_{4096};
};

TEST_F(Compose, MakesNumbersOfEveryType) {
  ExpectNumber(std::uint8_t{0x81});
  ExpectNumber(std::int8_t{-2});
  ExpectNumber(std::uint16_t{0x8102});
  ExpectNumber(std::int16_t{-2});
  ExpectNumber(std::uint32_t{0x8102'0304});
  ExpectNumber(std::int32_t{-2});
  ExpectNumber(std::uint64_t{0x8102'0304'0506'0708});
  ExpectNumber(std::int64_t{-2});
  ExpectNumber(1.25F);
  ExpectNumber(-1.25);
  ExpectNumber(true);
  ExpectNumber(false);
}

TEST_F(Compose, MakesArrays) {
  ExpectArray<std::uint8_t>({});
  ExpectArray<std::int16_t>({1, -2, 3});
  ExpectArray<std::uint64_t>({0x8102'0304'0506'0708, 2});
  ExpectArray<float>({0.5F, -0.0F});
  const Entry bools = ArrayEntry<bool>(arena_, "k", 3, [on = false]() mutable {
    on = !on;
    return on;
  });
  EXPECT_TRUE(IsArrayOf(bools, ValueType::kBool));
  EXPECT_THAT(ElementsOf(bools), ::testing::ElementsAre(1, 0, 1));
}

TEST_F(Compose, MakesTexts) {
  for (const std::string_view text : {"", "a", "some text"}) {
    ExpectAs(Model().Set("k", text), TextEntry(arena_, "k", text));
  }
  const std::vector<std::string_view> texts = {"", "a", "a longer text"};
  auto at = texts.begin();
  ExpectAs(Model().Set("k", std::vector<std::string>{"", "a", "a longer text"}),
           TextArrayEntry(arena_, "k", 3, 13, [&] { return *at++; }));
  at = texts.begin();
  ExpectAs(Model().Set("k", std::vector<std::string>{"", "a", "a longer tex"}),
           TextArrayEntry(arena_, "k", 3, 12, [&] { return *at++; }));
}

TEST_F(Compose, MakesNothingWithoutMemory) {
  Draft draft;
  ASSERT_FALSE(arena_.Take(arena_.Left() - 7).empty());
  const auto one = [] { return 1.0F; };
  for (const Entry& entry : {NumberEntry(arena_, "k", std::uint64_t{1}), TextEntry(arena_, "k", ""),
                             ArrayEntry<float>(arena_, "k", 0, one),
                             TextArrayEntry(arena_, "k", 0, 1, [] { return "a"; })}) {
    EXPECT_TRUE(entry.value.empty());
    EXPECT_FALSE(AddEntry(draft, entry));
    EXPECT_FALSE(SetEntry(draft, entry));
  }
  EXPECT_EQ(Joined(arena_, {"1234", "5678"}), "");
  EXPECT_EQ(Joined(arena_, {"123", "", "4567"}), "1234567");
  EXPECT_TRUE(draft.entries.empty());
}

TEST_F(Compose, AddsSetsAndDrops) {
  Draft draft;
  const auto number = [&](std::string_view key, std::uint8_t value) {
    return NumberEntry(arena_, key, value);
  };
  EXPECT_TRUE(AddEntry(draft, number("a.x", 1)));
  EXPECT_TRUE(AddEntry(draft, number("b.x", 2)));
  EXPECT_FALSE(AddEntry(draft, number("", 3)));
  EXPECT_TRUE(SetEntry(draft, number("a.x", 4)));
  EXPECT_TRUE(SetEntry(draft, number("a.y", 5)));
  EXPECT_FALSE(SetEntry(draft, number("", 6)));
  ASSERT_EQ(draft.entries.size(), 3u);
  EXPECT_EQ(draft.entries[0].value.front(), 4);
  EXPECT_EQ(draft.entries[2].key, "a.y");
  DropKeys(draft, "a.");
  ASSERT_EQ(draft.entries.size(), 1u);
  EXPECT_EQ(draft.entries[0].key, "b.x");
}

TEST_F(Compose, SetsWhereNoFurtherEntryFits) {
  Draft draft;
  const Entry entry = NumberEntry(arena_, "a", std::uint8_t{1});
  while (AddEntry(draft, entry)) {
  }
  EXPECT_EQ(draft.entries.size(), Draft::kMostEntries);
  EXPECT_TRUE(SetEntry(draft, NumberEntry(arena_, "a", std::uint8_t{2})));
  EXPECT_FALSE(SetEntry(draft, NumberEntry(arena_, "b", std::uint8_t{2})));
  EXPECT_EQ(draft.entries[0].value.front(), 2);
}

TEST_F(Compose, AddsTensorsWithTheirData) {
  Workshop workshop(1, 4096);
  MutationContext& context = workshop.Fresh();
  Tensor tensor{.name = "t", .dimension_count = 2, .type = 1};  // F16
  tensor.dims = {5, 3, 1, 1};
  EXPECT_TRUE(AddNoiseTensor(context, tensor));
  EXPECT_EQ(context.draft.tensors[0].data.size(), 30u);
  tensor.dims[1] = std::uint64_t{1} << 62;
  EXPECT_FALSE(AddNoiseTensor(context, tensor));
  tensor.dims[1] = 4096;
  EXPECT_FALSE(AddNoiseTensor(context, tensor));  // more than the memory
  tensor.type = 9999;
  EXPECT_FALSE(AddNoiseTensor(context, tensor));
  EXPECT_EQ(context.draft.tensors.size(), 1u);
}

}  // namespace
}  // namespace ggufgate::mutate
