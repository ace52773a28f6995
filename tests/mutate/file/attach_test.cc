#include "mutate/file/attach.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "format/tensors/tensor_type.h"
#include "format/value_type.h"
#include "mutate/file/writer.h"
#include "tests/mutate/four_dimensions.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint32_t kI8 = static_cast<std::uint32_t>(TensorType::kI8);
constexpr std::uint32_t kF32 = static_cast<std::uint32_t>(TensorType::kF32);
constexpr std::uint32_t kQ4_0 = static_cast<std::uint32_t>(TensorType::kQ4_0);
constexpr std::uint32_t kU32 = IdOf(ValueType::kU32);

Tensor OfType(std::uint32_t type, std::uint32_t count, const FourDimensions& dims) {
  return {.name = "t", .dimension_count = count, .dims = WithFifth(dims), .type = type};
}

TEST(SizeOfTensor, MultipliesRowsOfWholeBlocks) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const auto id = static_cast<std::uint32_t>(type.type);
    const std::uint64_t row = 3 * std::uint64_t{type.block_elements};
    EXPECT_EQ(SizeOfTensor(OfType(id, 1, {row, 1, 1, 1})), 3 * std::uint64_t{type.block_bytes});
    EXPECT_EQ(SizeOfTensor(OfType(id, 4, {row, 2, 5, 7})), 210 * std::uint64_t{type.block_bytes});
    EXPECT_EQ(SizeOfTensor(OfType(id, 2, {0, 9, 1, 1})), 0U);
    EXPECT_EQ(SizeOfTensor(OfType(id, 2, {row, 0, 1, 1})), 0U);
    // An incomplete block counts.
    EXPECT_EQ(SizeOfTensor(OfType(id, 1, {row + 1, 1, 1, 1})), 4 * std::uint64_t{type.block_bytes});
  }
}

TEST(SizeOfTensor, LooksAtTheDimensionsThereAre) {
  EXPECT_EQ(SizeOfTensor(OfType(kF32, 1, {3, 100, 100, 100})), 12U);
  EXPECT_EQ(SizeOfTensor(OfType(kF32, 2, {3, 5, 100, 100})), 60U);
  EXPECT_EQ(SizeOfTensor(OfType(kF32, 0, {1, 1, 1, 1})), 4U) << "a scalar";
  Tensor five = OfType(kF32, 5, {3, 5, 2, 2});
  five.dims[4] = 7;
  EXPECT_EQ(SizeOfTensor(five), 1680U);
  five.dimension_count = 4;
  EXPECT_EQ(SizeOfTensor(five), 240U);
  five.dimension_count = UINT32_MAX;
  EXPECT_EQ(SizeOfTensor(five), 1680U) << "no sixth is kept";
}

TEST(SizeOfTensor, IsNothingBeyond64Bits) {
  struct Case {
    std::uint32_t type;
    FourDimensions dims;
    std::optional<std::uint64_t> size;
  };
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
  const std::vector<Case> cases = {
      {kI8, {UINT64_MAX, 1, 1, 1}, UINT64_MAX},
      {kI8, {UINT64_MAX, 2, 1, 1}, std::nullopt},
      {kI8, {kHalf, kHalf - 1, 1, 1}, kHalf * (kHalf - 1)},
      {kI8, {kHalf, kHalf, 1, 1}, std::nullopt},
      {kI8, {kHalf, 1, 1, kHalf}, std::nullopt},
      {kI8, {kHalf, kHalf, 0, 1}, std::nullopt},  // an intermediate product exceeds 64 bits
      {kF32, {UINT64_MAX / 4, 1, 1, 1}, UINT64_MAX - 3},
      {kF32, {UINT64_MAX / 4 + 1, 1, 1, 1}, std::nullopt},
      {kQ4_0, {UINT64_MAX, 1, 1, 1}, (UINT64_MAX / 32 + 1) * 18},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(SizeOfTensor(OfType(one.type, 4, one.dims)), one.size) << one.dims[0];
  }
}

TEST(SizeOfTensor, IsNothingForUnknownTypes) {
  for (const std::uint32_t type : {4U, 5U, 36U, 1000U, UINT32_MAX}) {
    EXPECT_EQ(SizeOfTensor(OfType(type, 1, {32, 1, 1, 1})), std::nullopt) << type;
  }
}

// TailDraft is a draft whose tail, of consecutive bytes, begins at file offset 50.
struct TailDraft {
  explicit TailDraft(std::size_t size) : bytes(size) {
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    draft.tail = bytes;
    draft.tail_begin = 50;
  }
  void AlignTo(std::uint32_t alignment, std::uint32_t type = kU32) {
    Store(alignment, draft.encoding.order, value);
    draft.entries.Add({.key = kAlignmentKey, .type = type, .value = value});
  }
  // Attached gives a tensor its data and returns their offset in the tail and their size.
  std::string Attached(std::uint64_t offset, std::uint64_t size, std::uint32_t type = kI8) {
    Tensor tensor = OfType(type, 1, {size, 1, 1, 1});
    tensor.offset = offset;
    draft.tensors.Add(tensor);
    AttachData(draft);
    const Bytes data = draft.tensors.back().data;
    if (data.empty()) return "nothing";
    return std::to_string(data[0]) + "+" + std::to_string(data.size());
  }

  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t, 4> value{};
  Draft draft;
};

TEST(AttachData, GivesWhatTheTailHas) {
  struct Case {
    std::uint64_t offset;
    std::uint64_t size;
    const char* data;
  };
  // The data section begins at 64, which is 14 bytes into a tail of 100.
  for (const Case& one : std::vector<Case>{{0, 10, "14+10"},
                                           {32, 10, "46+10"},
                                           {3, 10, "17+10"},  // not aligned: the exact offset
                                           {0, 86, "14+86"},
                                           {0, 87, "14+86"},
                                           {80, 1000, "94+6"},
                                           {85, 1, "99+1"},
                                           {86, 1, "nothing"},
                                           {0, 0, "nothing"},
                                           {UINT64_MAX, 1, "nothing"},
                                           {UINT64_MAX - 13, UINT64_MAX, "nothing"},
                                           {0, UINT64_MAX, "14+86"}}) {
    EXPECT_EQ(TailDraft(100).Attached(one.offset, one.size), one.data)
        << one.offset << ' ' << one.size;
  }
  EXPECT_EQ(TailDraft(100).Attached(0, 10, 1000), "nothing") << "a type nobody knows has no size";
}

TEST(AttachData, LetsTensorsShareBytes) {
  TailDraft tail(100);
  EXPECT_EQ(tail.Attached(0, 40), "14+40");
  EXPECT_EQ(tail.Attached(0, 40), "14+40");
  EXPECT_EQ(tail.Attached(20, 40), "34+40");
}

TEST(AttachData, BeginsWhereTheAlignmentSays) {
  struct Case {
    std::uint32_t alignment;
    const char* data;
  };
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (const Case& one : std::vector<Case>{{1, "0+8"},
                                             {8, "6+8"},
                                             {48, "46+8"},
                                             {50, "0+8"},
                                             {128, "78+8"},
                                             {145, "95+5"},
                                             {150, "nothing"},
                                             {151, "nothing"},
                                             {UINT32_MAX, "nothing"},
                                             {0, "nothing"}}) {
      TailDraft tail(100);
      tail.draft.encoding.order = order;
      tail.AlignTo(one.alignment);
      EXPECT_EQ(tail.Attached(0, 8), one.data) << one.alignment;
      EXPECT_EQ(tail.draft.alignment, one.alignment);
    }
  }
}

TEST(AttachData, KnowsAnAlignmentOnlyAsU32) {
  TailDraft tail(100);
  tail.AlignTo(8, IdOf(ValueType::kI32));
  EXPECT_EQ(tail.Attached(0, 8), "nothing");
  EXPECT_EQ(tail.draft.alignment, 0U) << "Repair sees that none is usable";
}

TEST(AttachData, SetsTheAlignmentWithoutTensorsToo) {
  TailDraft tail(0);
  tail.draft.alignment = 7;
  AttachData(tail.draft);
  EXPECT_EQ(tail.draft.alignment, kDefaultAlignment);
}

TEST(AttachData, EndsWhereTheFileLeaves64Bits) {
  TailDraft tail(3);
  tail.draft.tail_begin = UINT64_MAX - 3;  // no multiple of 32 is left
  EXPECT_EQ(tail.Attached(0, 8), "nothing");
}

}  // namespace
}  // namespace ggufgate::mutate
