// The basis of lies about meaning: valid records, in little space, with the lie at the right byte.

#include "mutate/lies/lie_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mutate/build/records.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kLieRoom = 8192;

class LieContext : public ::testing::Test {
 protected:
  LieContext() : context_(workshop_.Fresh()) {}

  void Add(std::string_view key, std::uint32_t value) {
    ASSERT_TRUE(AddNumber(context_, key, value));
  }
  void AddNamed(std::string_view name, std::uint64_t elements = 8) {
    Tensor tensor{.name = name, .dimension_count = 1};
    tensor.dims[0] = elements;
    ASSERT_TRUE(AddNoiseTensor(context_, tensor));
  }
  [[nodiscard]] std::vector<std::string_view> Keys() const {
    std::vector<std::string_view> keys;
    for (const Entry& entry : context_.draft.entries) keys.push_back(entry.key);
    return keys;
  }

  Workshop workshop_{1, kLieRoom};
  MutationContext& context_;
};

TEST_F(LieContext, MakesRoomWhereOtherRecordsAreInTheWay) {
  context_.draft.alignment = 64;
  Add("a", 1);
  AddNamed("t", 1000);
  EXPECT_TRUE(MakeRoom(context_, 1000));
  EXPECT_EQ(context_.draft.entries.size() + context_.draft.tensors.size(), 2u);
  EXPECT_FALSE(MakeRoom(context_, kLieRoom - 23));  // never: nothing is removed for it
  EXPECT_EQ(context_.draft.entries.size() + context_.draft.tensors.size(), 2u);
  EXPECT_TRUE(MakeRoom(context_, kLieRoom - 24));
  EXPECT_TRUE(context_.draft.entries.empty() && context_.draft.tensors.empty());
  EXPECT_EQ(context_.draft.alignment, kDefaultAlignment);
  ASSERT_TRUE(context_.Write());
  EXPECT_FALSE(MakeRoom(context_, 1));
}

TEST_F(LieContext, MakesRoomInTables) {
  for (std::size_t i = 0; i + 15 < Draft::kMostEntries; ++i) Add("a", 1);
  EXPECT_TRUE(MakeRoom(context_, 1));
  EXPECT_TRUE(context_.draft.entries.empty());
}

TEST_F(LieContext, SetsAnArchitectureWithoutContradictions) {
  for (const std::string_view key : {"mamba.block_count", "llama.block_count", "xielu.eps", "a"}) {
    Add(key, 1);
  }
  for (const std::string_view name : {"direction.1", "direction.none", "t"}) AddNamed(name);
  EXPECT_TRUE(SetArchitecture(context_, "mamba"));
  EXPECT_THAT(Keys(), ElementsAre("llama.block_count", "a", kArchitectureKey));
  ASSERT_EQ(context_.draft.tensors.size(), 1u);
  EXPECT_EQ(context_.draft.tensors[0].name, "t");
  EXPECT_EQ(context_.draft.tensors[0].offset, 0u);
}

TEST_F(LieContext, TakesTheArchitectureThatSuits) {
  const auto attends = [](const ArchitectureInfo& info) { return info.attention; };
  const auto divides = [](const ArchitectureInfo& info) { return !info.divisors.empty(); };
  ASSERT_TRUE(SetArchitecture(context_, "llama"));
  EXPECT_EQ(SomeArchitecture(context_, attends, 64)->name, "llama");
  std::set<std::string_view> others;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(SetArchitecture(context_, "llama"));
    const auto other = SomeArchitecture(context_, divides, 64);
    ASSERT_TRUE(other);
    EXPECT_TRUE(divides(*other->info));
    EXPECT_EQ(TextOf(*context_.draft.Find(kArchitectureKey)), other->name);
    others.insert(other->name);
  }
  EXPECT_GT(others.size(), 2u);
  EXPECT_FALSE(SomeArchitecture(context_, [](const ArchitectureInfo&) { return false; }, 64));
  EXPECT_EQ(KeyFor(context_, {.name = "llama"}, "block_count"), "llama.block_count");
}

TEST_F(LieContext, MakesASmallVocabularyWhereThereIsNone) {
  std::set<std::string> models;
  for (int i = 0; i < 50; ++i) {
    MutationContext& context = workshop_.Fresh();
    AddNumber(context, "tokenizer.ggml.bos_token_id", 9u);
    const Entry* const tokens = SomeVocabulary(context);
    ASSERT_NE(tokens, nullptr);
    EXPECT_EQ(CountOf(*tokens), 4u);
    EXPECT_EQ(SomeVocabulary(context), tokens);
    EXPECT_EQ(context.draft.Find("tokenizer.ggml.bos_token_id"), nullptr);
    models.emplace(*TextOf(*context.draft.Find("tokenizer.ggml.model")));
    ASSERT_TRUE(context.Write());
    EXPECT_THAT(ErrorsIn(context.bytes()), IsEmpty());
  }
  EXPECT_EQ(models.size(), 2u);
}

TEST_F(LieContext, MakesPlainValuesOfEveryType) {
  for (std::uint32_t id = 0; id <= 12; ++id) {
    const ValueType type{id};
    if (type == ValueType::kArray) continue;
    const Entry one = PlainEntry(context_, "one", type);
    EXPECT_EQ(one.type, id);
    EXPECT_EQ(SizeOfValue(one.type, one.value, {}), one.value.size()) << id;
    const Entry many = PlainArray(context_, "many", type, 3);
    EXPECT_EQ(SizeOfValue(many.type, many.value, {}), many.value.size()) << id;
    EXPECT_EQ(ElementTypeOf(many), type);
    EXPECT_EQ(CountOf(many), 3u);
    if (IntegerOf(one)) {
      EXPECT_EQ(UnsignedOf(one), 1u) << id;
    }
  }
  EXPECT_EQ(TextOf(PlainEntry(context_, "text", ValueType::kString)), "1");
}

TEST_F(LieContext, MakesMisshapenValues) {
  for (int i = 0; i <= static_cast<int>(KeyShape::kBytes); ++i) {
    const KeyShape shape{static_cast<std::uint8_t>(i)};
    std::set<std::pair<std::uint32_t, std::uint32_t>> kinds;
    for (int n = 0; n < 300; ++n) {
      MutationContext& context = workshop_.Fresh();
      const Entry entry = MisshapenEntry(context, "k", shape, 2);
      ASSERT_FALSE(entry.value.empty());
      EXPECT_FALSE(HasShape(entry, shape)) << i << ", type " << entry.type;
      const bool array = Is(entry, ValueType::kArray);
      kinds.emplace(entry.type, array ? static_cast<std::uint32_t>(ElementTypeOf(entry)) : 0);
    }
    EXPECT_GT(kinds.size(), 5u) << i;
  }
}

TEST_F(LieContext, TellsWhereAnEntryLies) {
  struct Case {
    Part part;
    // Offset in the record, whose key has 3 characters.
    std::uint64_t at;
  };
  for (const Case& place : {Case{Part::kKey, 8}, Case{Part::kType, 11}, Case{Part::kValue, 15},
                            Case{Part::kCount, 19}}) {
    MutationContext& context = workshop_.Fresh();
    AddEntry(context.draft, PlainEntry(context, "other", ValueType::kU8));
    AddEntry(context.draft, PlainArray(context, "key", ValueType::kU8, 2));
    EXPECT_TRUE(Tell(context, "key", place.part));
    EXPECT_TRUE(context.written());
    EXPECT_EQ(context.lie_at, 24 + 8 + 5 + 4 + 1 + place.at);
    EXPECT_FALSE(Tell(context, "none", place.part));
  }
}

TEST_F(LieContext, TellsWhereATensorLies) {
  struct Case {
    TensorPart part;
    // Offset in the record, whose name has 4 characters.
    std::uint64_t at;
  };
  for (const Case& place : {Case{TensorPart::kName, 8}, Case{TensorPart::kDimensions, 16},
                            Case{TensorPart::kType, 24}}) {
    MutationContext& context = workshop_.Fresh();
    Tensor tensor{.name = "lies", .dimension_count = 1};
    tensor.dims[0] = 3;
    AddNumber(context, "split.no", std::uint16_t{0});
    ASSERT_TRUE(AddLyingTensor(context, tensor));
    EXPECT_TRUE(context.draft.entries.empty());
    EXPECT_EQ(context.draft.tensors[0].data.size(), 12u);
    EXPECT_TRUE(TellTensor(context, place.part));
    EXPECT_EQ(context.lie_at, 24 + place.at);
    EXPECT_THAT(ErrorsIn(context.bytes()), IsEmpty());  // only announced so far
  }
}

TEST_F(LieContext, AddsNoTensorWithoutData) {
  Tensor tensor{.name = "none", .dimension_count = 1};
  tensor.dims[0] = 0;
  EXPECT_FALSE(AddLyingTensor(context_, tensor));
  tensor.dims[0] = std::uint64_t{1} << 60;
  EXPECT_FALSE(AddLyingTensor(context_, tensor));
  EXPECT_TRUE(context_.draft.tensors.empty());
}

}  // namespace
}  // namespace ggufgate::mutate
