// Records that lies find or add: with exactly enough space, and none with one byte less.

#include "mutate/build/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

constexpr std::size_t kRecordsRoom = 4096;

class AddedRecords : public ::testing::Test {
 protected:
  AddedRecords() : context_(workshop_.Fresh()) {}

  // ExpectSound: the file can be written, and the gate has no findings for it.
  void ExpectSound() {
    LayOut(context_.draft);
    ASSERT_TRUE(context_.Write());
    EXPECT_THAT(ErrorsIn(context_.bytes()), IsEmpty());
  }

  Workshop workshop_{1, kRecordsRoom};
  MutationContext& context_;
};

TEST_F(AddedRecords, HaveRoomToTheByte) {
  EXPECT_TRUE(HasRoom(context_, kRecordsRoom - 24));
  EXPECT_FALSE(HasRoom(context_, kRecordsRoom - 23));
  EXPECT_FALSE(HasRoom(context_, ~std::uint64_t{0}));
  const std::size_t text = kRecordsRoom - 24 - (8 + 1 + 4 + 8);
  const Entry entry{.key = "k", .type = 8, .value = DrawString(context_, text)};
  const Entry longer{.key = "k", .type = 8, .value = DrawString(context_, text + 1)};
  EXPECT_EQ(InsertEntry(context_, longer, 0), std::nullopt);
  EXPECT_EQ(InsertEntry(context_, entry, 0), 0u);
  EXPECT_TRUE(HasRoom(context_, 0));
  EXPECT_FALSE(HasRoom(context_, 1));
  ExpectSound();
  EXPECT_EQ(context_.bytes().size(), kRecordsRoom);
  EXPECT_FALSE(HasRoom(context_, 0));  // after it is written
}

// If they report enough space, the file can be written.
TEST_F(AddedRecords, HaveRoomForTensorsAndTheirPadding) {
  for (const std::uint64_t alignment : {1u, 8u, 32u, 256u}) {
    for (std::uint64_t blocks = 0; blocks < 20; ++blocks) {
      MutationContext& context = workshop_.Fresh();
      context.draft.alignment = alignment;
      std::size_t count = 0;
      while (InsertTensor(context, TensorType::kI8, blocks)) ++count;
      EXPECT_GT(count, 5u);
      EXPECT_TRUE(context.Write()) << alignment << ' ' << blocks;
    }
  }
}

TEST_F(AddedRecords, CountRecordsAsTheyAreWritten) {
  ASSERT_TRUE(InsertValue(context_, ValueType::kString, DrawString(context_, 9)));
  ASSERT_TRUE(InsertValue(context_, ValueType::kArray,
                          PlainArrayValue(context_.arena, ValueType::kU16, 3)));
  ASSERT_TRUE(InsertTensor(context_, TensorType::kF32, 4));
  ExpectSound();
  const Placement& placement = context_.placement;
  EXPECT_EQ(SizeOf(context_.draft.entries[0]), placement.entries[1] - placement.entries[0]);
  EXPECT_EQ(SizeOf(context_.draft.entries[1]), placement.metadata_end - placement.entries[1]);
  EXPECT_EQ(SizeOf(context_.draft.tensors[0]), placement.directory_end - placement.tensors[0]);
}

TEST_F(AddedRecords, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (std::size_t size = 20; size < 60; ++size) {
    const std::string_view name = FreshName(context_, size);
    EXPECT_EQ(name.size(), size);
    EXPECT_TRUE(name.starts_with("extra."));
    EXPECT_THAT(name.substr(6), Each(::testing::AllOf(::testing::Ge('a'), ::testing::Le('z'))));
    EXPECT_TRUE(names.emplace(name).second);
  }
  ASSERT_FALSE(context_.arena.Take(context_.arena.Left() - 19).empty());
  EXPECT_EQ(FreshName(context_), "");
}

TEST_F(AddedRecords, HaveValuesOfEveryType) {
  EXPECT_THAT(NumberValue(context_.arena, 0x0102'0304, 2), ::testing::ElementsAre(4, 3));
  EXPECT_THAT(NumberValue(context_.arena, 0x0102, 4), ::testing::ElementsAre(2, 1, 0, 0));
  for (std::uint32_t id = 0; id <= 12; ++id) {
    if (ValueType{id} == ValueType::kArray) continue;
    for (const std::size_t count : {0u, 1u, 7u}) {
      const Bytes value = PlainArrayValue(context_.arena, ValueType{id}, count);
      EXPECT_EQ(SizeOfValue(9, value, {}), value.size()) << id;
      const auto at = InsertValue(context_, ValueType::kArray, value);
      ASSERT_TRUE(at);
      EXPECT_TRUE(IsArrayOf(context_.draft.entries[*at], ValueType{id}));
    }
  }
  const auto text = InsertValue(context_, ValueType::kString, DrawString(context_, 0));
  ASSERT_TRUE(text);
  EXPECT_FALSE(IsArray(context_.draft.entries[*text]));
  ExpectSound();
}

TEST_F(AddedRecords, ArePutWhereTheyAreWanted) {
  const Bytes value = NumberValue(context_.arena, 1, 4);
  const auto entry = [&](std::string_view key) { return Entry{key, 4, value}; };
  EXPECT_EQ(InsertEntry(context_, entry("a"), 9), 0u);
  EXPECT_EQ(InsertEntry(context_, entry("b"), 0), 0u);
  EXPECT_EQ(InsertEntry(context_, entry("c"), 1), 1u);
  EXPECT_EQ(InsertTensor(context_, TensorType::kQ4_0, 1, 0), 0u);
  EXPECT_EQ(InsertTensor(context_, TensorType::kF32, 2, 0), 0u);
  EXPECT_EQ(context_.draft.entries[1].key, "c");
  EXPECT_EQ(context_.draft.tensors[0].dims[0], 2u);
  EXPECT_EQ(context_.draft.tensors[0].offset, 0u);
  EXPECT_EQ(context_.draft.tensors[1].offset, 32u);
  ExpectSound();
}

TEST_F(AddedRecords, ForgetHowManyTensorsThereWere) {
  const Bytes value = NumberValue(context_.arena, 0, 4);
  ASSERT_TRUE(InsertEntry(context_, {.key = "split.tensors.count", .type = 5, .value = value}, 0));
  ASSERT_TRUE(InsertEntry(context_, {.key = "split.other", .type = 5, .value = value}, 0));
  ASSERT_TRUE(InsertTensor(context_, TensorType::kF32, 1));
  ASSERT_EQ(context_.draft.entries.size(), 1u);
  EXPECT_EQ(context_.draft.entries[0].key, "split.other");
}

TEST_F(AddedRecords, ArePickedAmongThoseWanted) {
  for (std::size_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(InsertTensor(context_, TensorType::kI8, i, i));
  }
  std::set<std::size_t> picked;
  for (int i = 0; i < 200; ++i) {
    const auto at = PickIndex(context_.random, context_.draft.tensors,
                              [](const Tensor& tensor) { return tensor.data.size() % 2 == 1; });
    ASSERT_TRUE(at);
    picked.insert(*at);
  }
  EXPECT_THAT(picked, ::testing::ElementsAre(1, 3));
  EXPECT_EQ(PickIndex(context_.random, context_.draft.tensors, [](const Tensor&) { return false; }),
            std::nullopt);
  EXPECT_EQ(LastTensorWithData(context_), 4u);
}

TEST_F(AddedRecords, AreAddedWhereThereAreNone) {
  EXPECT_EQ(SomeEntry(context_), 0u);
  EXPECT_EQ(SomeEntry(context_), 0u);  // the same
  EXPECT_EQ(context_.draft.entries.size(), 1u);
  Tensor direction{.name = "direction.1", .dimension_count = 1};
  direction.dims[0] = 0;
  context_.draft.tensors.Add(direction);
  const auto tensor = SomeTensor(context_);  // no rule requires it
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(IsUnruled(context_.draft.tensors[*tensor]));
  EXPECT_EQ(SomeTensor(context_), tensor);
  EXPECT_EQ(LastTensorWithData(context_), tensor);
  EXPECT_EQ(context_.draft.tensors.size(), 2u);
}

TEST_F(AddedRecords, AreNotAddedOnceTheFileIsWritten) {
  const Bytes value = NumberValue(context_.arena, 1, 4);
  ASSERT_TRUE(context_.Write());
  EXPECT_EQ(InsertEntry(context_, {.key = "k", .type = 4, .value = value}, 0), std::nullopt);
  EXPECT_EQ(SomeEntry(context_), std::nullopt);
  EXPECT_EQ(SomeTensor(context_), std::nullopt);
  EXPECT_EQ(LastTensorWithData(context_), std::nullopt);
  EXPECT_TRUE(context_.draft.entries.empty() && context_.draft.tensors.empty());
}

}  // namespace
}  // namespace ggufgate::mutate
