// Records of the tensor directory and their data: those that RepairTensors drops, repairs and
// keeps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "format/tensors/tensor_type.h"
#include "mutate/file/attach.h"
#include "mutate/repair/clean.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/four_dimensions.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Dims = FourDimensions;
using Values = std::vector<std::uint8_t>;

constexpr std::size_t kTensorsRoom = std::size_t{1} << 16;

Tensor Plain(std::string_view name, TensorType type = TensorType::kF32, Dims dims = {4, 1, 1, 1},
             std::uint32_t count = 1) {
  return {.name = name, .dimension_count = count, .dims = WithFifth(dims), .type = IdOf(type)};
}

class Tensors : public ::testing::Test {
 protected:
  // Repaired returns a draft after Repair of these tensors; the gate accepts the rest.
  Draft& Repaired(const std::vector<Tensor>& tensors) {
    MutationContext& context = workshop_.Fresh();
    for (const Tensor& tensor : tensors) context.draft.tensors.Add(tensor);
    RepairTensors(context);
    LayOut(context.draft);
    // FitInto handles data that do not fit.
    std::uint64_t size = 0;
    for (const Tensor& tensor : context.draft.tensors) size += tensor.data.size();
    if (size < kTensorsRoom / 2) {
      EXPECT_TRUE(context.Write());
      EXPECT_THAT(ErrorsIn(context.bytes()), IsEmpty());
    }
    return context.draft;
  }
  Tensor Mended(const Tensor& tensor) {
    const Draft& draft = Repaired({tensor});
    EXPECT_EQ(draft.tensors.size(), 1u);
    return draft.tensors.empty() ? Tensor{} : draft.tensors[0];
  }

  Workshop workshop_{1, kTensorsRoom};
};

TEST_F(Tensors, HaveNamesOfUtf8WithoutControlCharacters) {
  for (int c = 0; c < 256; ++c) {
    const std::string name = {'a', static_cast<char>(c)};
    const bool is_text = c >= 0x20 && c < 0x7F;  // from 0x80 on no byte is a complete character
    EXPECT_EQ(Repaired({Plain(name)}).tensors.size(), is_text ? 1u : 0u) << c;
  }
  EXPECT_EQ(Mended(Plain("")).name, "");
  EXPECT_EQ(Mended(Plain("\u00FF")).name, "\u00FF");
}

TEST_F(Tensors, HaveNamesOfAtMost63Bytes) {
  for (const std::size_t size : {62u, 63u, 64u, 65u, 1000u}) {
    const std::string name(size, 'n');
    EXPECT_EQ(Mended(Plain(name)).name, name.substr(0, 63));
  }
}

TEST_F(Tensors, HaveEachNameOnce) {
  const std::string longest(63, 'n');
  const std::string longer = longest + "x";
  const Draft& draft = Repaired({Plain("a", TensorType::kF16), Plain("b"), Plain("a"),
                                 Plain(longest), Plain(longer), Plain("A")});
  std::vector<std::string_view> names;
  for (const Tensor& tensor : draft.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("a", "b", longest, "A"));
  EXPECT_EQ(draft.tensors[0].type, IdOf(TensorType::kF16));  // the first of two
}

TEST_F(Tensors, HaveTypesThatLoadersKnow) {
  for (std::uint32_t id = 0; id < 64; ++id) {
    Tensor tensor = Plain("t");
    tensor.type = id;
    tensor.dims[0] = 256;
    const Tensor mended = Mended(tensor);
    const bool known = FindTensorType(id) != nullptr;
    EXPECT_EQ(mended.type, known ? id : IdOf(TensorType::kF32));
    EXPECT_EQ(mended.dims[0], 256u);
    EXPECT_EQ(mended.data.size(), SizeOfTensor(mended));
  }
  Tensor tensor = Plain("t");
  tensor.type = 0xFFFF'FFFF;
  EXPECT_EQ(Mended(tensor).type, IdOf(TensorType::kF32));
}

TEST_F(Tensors, HaveRowsOfWholeBlocks) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const std::uint64_t block = type.block_elements;
    struct Row {
      std::uint64_t before, after;
    };
    for (const Row& row :
         {Row{block, block}, Row{3 * block, 3 * block}, Row{1, block},
          Row{block + block / 2, block == 1 ? 1 : block}, Row{2 * block - 1, block}, Row{0, 0}}) {
      const Tensor mended = Mended(Plain("t", type.type, {row.before, 1, 1, 1}));
      EXPECT_EQ(mended.dims[0], row.after) << type.name << ' ' << row.before;
      EXPECT_EQ(mended.data.size(), row.after / block * type.block_bytes) << type.name;
    }
    // Without dimensions there is one element: at least one block.
    const Tensor scalar = Mended(Plain("t", type.type, {7, 7, 7, 7}, 0));
    EXPECT_EQ(scalar.dimension_count, block == 1 ? 0u : 1u) << type.name;
    EXPECT_EQ(scalar.dims, WithFifth({block, 1, 1, 1})) << type.name;
  }
}

TEST_F(Tensors, HaveShapesThatFitTheRoom) {
  struct Case {
    std::uint32_t count;
    Dims before, after;
  };
  constexpr std::uint64_t kMost = kTensorsRoom / 4;  // elements of F32
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
  for (const Case& shape :
       {Case{4, {2, 3, 4, 5}, {2, 3, 4, 5}}, Case{2, {2, 3, 4, 5}, {2, 3, 1, 1}},
        Case{9, {2, 3, 4, 5}, {2, 3, 4, 5}}, Case{3, {2, 0, 4, 5}, {2, 1, 4, 1}},
        Case{1, {kMost, 1, 1, 1}, {kMost, 1, 1, 1}}, Case{1, {kMost + 1, 1, 1, 1}, {1, 1, 1, 1}},
        Case{2, {kMost / 8, 8, 1, 1}, {kMost / 8, 8, 1, 1}},
        Case{2, {kMost / 8, 9, 1, 1}, {1, 1, 1, 1}},
        Case{1, {~std::uint64_t{0}, 1, 1, 1}, {1, 1, 1, 1}},
        Case{4, {4, kHuge, 4, 1}, {1, 1, 1, 1}},
        Case{4, {kHuge, kHuge, kHuge, kHuge}, {1, 1, 1, 1}}, Case{4, {0, 7, 7, 7}, {0, 7, 7, 7}},
        Case{2, {0, kTensorsRoom, 1, 1}, {0, kTensorsRoom, 1, 1}},
        Case{2, {0, kTensorsRoom + 1, 1, 1}, {0, 1, 1, 1}},
        Case{4, {0, kHuge, kHuge, kHuge}, {0, 1, 1, 1}}, Case{2, {0, 0, 9, 9}, {0, 1, 1, 1}}}) {
    Tensor given = Plain("t", TensorType::kF32, {}, shape.count);
    // A fifth is removed, because llama.cpp does not support it.
    given.dims = WithFifth(shape.before, 9);
    const Tensor mended = Mended(given);
    EXPECT_EQ(mended.dims, WithFifth(shape.after)) << ::testing::PrintToString(shape.before);
    EXPECT_EQ(mended.dimension_count, std::min(shape.count, 4u));
  }
}

TEST_F(Tensors, HaveAsMuchDataAsTheyNeed) {
  const Values bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (std::size_t given = 0; given <= bytes.size(); ++given) {
    Tensor tensor = Plain("t", TensorType::kI8, {6, 1, 1, 1});
    tensor.data = Bytes(bytes).first(given);
    Values expected(6);
    std::copy_n(bytes.begin(), std::min<std::size_t>(given, 6), expected.begin());
    EXPECT_THAT(Mended(tensor).data, ::testing::ElementsAreArray(expected)) << given;
  }
}

TEST_F(Tensors, HaveDataThatStayWhereTheyAreIfSound) {
  const Values bytes(64, 0x11);
  Tensor tensor = Plain("t", TensorType::kF32, {16, 1, 1, 1});
  tensor.data = bytes;
  EXPECT_EQ(Mended(tensor).data.data(), bytes.data());
  tensor.dims[0] = 8;  // shorter: the first part of the same data
  EXPECT_EQ(Mended(tensor).data.data(), bytes.data());
}

TEST_F(Tensors, HaveFiniteData) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const Values ones(2 * type.block_bytes, 0xFF);  // NaN in every float
    Tensor tensor = Plain("t", type.type, {2 * type.block_elements, 1, 1, 1});
    tensor.data = ones;
    const Tensor mended = Mended(tensor);
    EXPECT_TRUE(IsClean(mended.type, mended.data)) << type.name;
    ASSERT_EQ(mended.data.size(), ones.size());
    EXPECT_EQ(IsClean(mended.type, ones), std::ranges::equal(mended.data, ones)) << type.name;
    // Only the copy is repaired.
    EXPECT_TRUE(std::ranges::all_of(ones, [](int byte) { return byte == 0xFF; }));
  }
}

TEST_F(Tensors, GoWhereNoMemoryIsLeftForTheirData) {
  MutationContext& context = workshop_.Fresh();
  const Values bytes(64, 0x11);
  Tensor whole = Plain("whole", TensorType::kF32, {16, 1, 1, 1});
  whole.data = bytes;
  const Tensor missing = Plain("missing", TensorType::kF32, {17, 1, 1, 1});
  const Tensor small = Plain("small", TensorType::kF32, {16, 1, 1, 1});
  for (const Tensor& tensor : {missing, whole, small}) context.draft.tensors.Add(tensor);
  ASSERT_FALSE(context.arena.Take(context.arena.Left() - 64).empty());
  RepairTensors(context);
  ASSERT_EQ(context.draft.tensors.size(), 2u);
  EXPECT_EQ(context.draft.tensors[0].name, "whole");
  EXPECT_EQ(context.draft.tensors[1].name, "small");
  EXPECT_EQ(context.arena.Left(), 0u);
}

}  // namespace
}  // namespace ggufgate::mutate
