#include "parse/extent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/parse_helpers.h"
#include "tests/support/parse_wide.h"

namespace ggufgate::testing {
namespace {

constexpr std::uint64_t k2To31 = std::uint64_t{1} << 31;
constexpr std::uint64_t k2To32 = std::uint64_t{1} << 32;
constexpr std::uint64_t k2To62 = std::uint64_t{1} << 62;
constexpr std::uint64_t k2To63 = std::uint64_t{1} << 63;

TensorInfo Shape(std::uint32_t type_id, const std::vector<std::uint64_t>& dims) {
  TensorInfo tensor;
  tensor.type_id = type_id;
  tensor.dimension_count = static_cast<std::uint32_t>(dims.size());
  std::ranges::copy(dims, tensor.dims.begin());
  return tensor;
}

Extent ExtentOfShape(TensorType type, const std::vector<std::uint64_t>& dims,
                     std::uint64_t alignment = 32) {
  return ExtentOf(Shape(IdOf(type), dims), alignment);
}

TEST(Extent, AnHonestTensorHasAllNumbers) {
  const Extent extent = ExtentOfShape(TensorType::kQ4_K, {512, 3, 2, 1});
  ASSERT_NE(extent.type, nullptr);
  EXPECT_EQ(extent.type->name, "Q4_K");
  EXPECT_TRUE(extent.whole_blocks);
  EXPECT_EQ(extent.elements, 3'072U);
  EXPECT_EQ(extent.row_bytes, 288U);
  EXPECT_EQ(extent.bytes, 1'728U);
  EXPECT_EQ(extent.padded, 1'728U);
  EXPECT_EQ(ExtentOfShape(TensorType::kQ4_K, {512, 3, 2, 1}, 128).padded, 1'792U);
}

TEST(Extent, WithoutDimensionsThereIsOneElement) {
  const Extent extent = ExtentOfShape(TensorType::kF32, {});
  EXPECT_EQ(extent.elements, 1U);
  EXPECT_EQ(extent.bytes, 4U);
  EXPECT_EQ(extent.padded, 32U);
  EXPECT_FALSE(ExtentOfShape(TensorType::kQ4_0, {}).whole_blocks) << "one is no block of 32";
}

TEST(Extent, AnUnknownTypeHasElementsAndNoBytes) {
  for (const std::uint32_t id : {4U, 31U, 43U, UINT32_MAX}) {
    const Extent extent = ExtentOf(Shape(id, {4, 5}), 32);
    EXPECT_EQ(extent.type, nullptr);
    EXPECT_EQ(extent.elements, 20U);
    EXPECT_EQ(extent.bytes, std::nullopt);
    EXPECT_EQ(extent.padded, std::nullopt);
    EXPECT_FALSE(extent.whole_blocks);
  }
}

TEST(Extent, ARowIsWholeBlocksAndIsNotRoundedUp) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const std::uint64_t block = info.block_elements;
    const Extent two = ExtentOfShape(info.type, {2 * block});
    EXPECT_TRUE(two.whole_blocks) << info.name;
    EXPECT_EQ(two.bytes, 2 * info.block_bytes) << info.name;
    if (block == 1) continue;
    const Extent more = ExtentOfShape(info.type, {2 * block + 1, block});
    EXPECT_FALSE(more.whole_blocks) << info.name << ": the product would be whole blocks";
    EXPECT_EQ(more.elements, (2 * block + 1) * block);
    EXPECT_EQ(more.row_bytes, std::nullopt);
    EXPECT_EQ(more.bytes, std::nullopt);
  }
}

TEST(Extent, AZeroDimensionMakesTheTensorEmpty) {
  for (std::size_t zero = 0; zero < 4; ++zero) {
    std::vector<std::uint64_t> dims = {256, 2, 3, 4};
    dims.at(zero) = 0;
    const Extent extent = ExtentOfShape(TensorType::kQ4_K, dims);
    EXPECT_TRUE(extent.whole_blocks);
    EXPECT_EQ(extent.elements, 0U);
    EXPECT_EQ(extent.row_bytes, zero == 0 ? 0 : 144);
    EXPECT_EQ(extent.bytes, 0U);
    EXPECT_EQ(extent.padded, 0U);
  }
}

TEST(Extent, AZeroAfterAnOverflowDoesNotUndoIt) {
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {k2To32, k2To32, 0}).elements, std::nullopt);
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {0, k2To32, k2To32}).elements, 0U)
      << "step by step: 0 stays 0";
}

TEST(Extent, AProductOfDimensionsThatWrapsToZeroIsNoSize) {
  const Extent wraps = ExtentOfShape(TensorType::kF32, {k2To32, k2To32});
  EXPECT_EQ(wraps.elements, std::nullopt);
  EXPECT_EQ(wraps.bytes, std::nullopt);
  const Extent neighbour = ExtentOfShape(TensorType::kI8, {k2To32, k2To31 - 1});
  EXPECT_EQ(neighbour.elements, k2To63 - k2To32);
  EXPECT_EQ(neighbour.bytes, k2To63 - k2To32);
}

TEST(Extent, WithoutElementsThereAreNoBytesEither) {
  // 2^64 elements in blocks of 18 bytes for 128 would be fewer than 2^63 bytes.
  const Extent extent = ExtentOfShape(TensorType::kQ1_0, {k2To32, k2To32});
  EXPECT_EQ(extent.elements, std::nullopt);
  EXPECT_TRUE(extent.whole_blocks);
  EXPECT_EQ(extent.row_bytes, std::nullopt);
  EXPECT_EQ(extent.bytes, std::nullopt);
  EXPECT_EQ(extent.padded, std::nullopt);
}

TEST(Extent, ElementsReachTo2To63AndNoFurther) {
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {k2To63 - 1}, 1).elements, k2To63 - 1);
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {k2To63 - 1}, 1).padded, k2To63 - 1);
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {k2To63}, 1).elements, std::nullopt);
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {UINT64_MAX}, 1).elements, std::nullopt);
  EXPECT_EQ(ExtentOfShape(TensorType::kI8, {1, 1, 1, k2To63}, 1).elements, std::nullopt);
}

// The reference first multiplies the row by the block's bytes: 32 * (2^64/576 + 1) * 18 overflows
// to 128, which would be 4 bytes per row.
TEST(Extent, ARowWhoseProductWrapsInTheReferenceIsNoSize) {
  const std::uint64_t row = 32 * (UINT64_MAX / 576 + 1);
  ASSERT_EQ(row * 18 / 32, 4U) << "what a loader that wraps would count";
  const Extent extent = ExtentOfShape(TensorType::kQ4_0, {row});
  EXPECT_TRUE(extent.whole_blocks);
  EXPECT_EQ(extent.elements, row);
  EXPECT_EQ(extent.row_bytes, std::nullopt);
  EXPECT_EQ(extent.bytes, std::nullopt);
}

TEST(Extent, OfEveryBlockTypeTheRowThatWrapsIsRefusedAndTheLongestThatDoesNotIsNot) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const std::uint64_t block = info.block_elements;
    const auto most = static_cast<std::uint64_t>(kMost63 / info.block_bytes);
    const std::uint64_t longest = most / block * block;
    const Extent fits = ExtentOfShape(info.type, {longest}, 1);
    EXPECT_EQ(fits.row_bytes, longest / block * info.block_bytes) << info.name;
    const Extent wraps = ExtentOfShape(info.type, {longest + block}, 1);
    EXPECT_EQ(wraps.row_bytes, std::nullopt) << info.name;
  }
}

TEST(Extent, RowsTimesTheirSizeMayNotWrapEither) {
  EXPECT_EQ(ExtentOfShape(TensorType::kF32, {k2To31, k2To31 / 2}).bytes, std::nullopt) << "2^63";
  const Extent less = ExtentOfShape(TensorType::kF32, {k2To31, k2To31 / 2 - 1});
  EXPECT_EQ(less.bytes, k2To63 - 4 * k2To31);
  EXPECT_EQ(ExtentOfShape(TensorType::kF64, {k2To62}).elements, k2To62);
  EXPECT_EQ(ExtentOfShape(TensorType::kF64, {k2To62}).bytes, std::nullopt);
}

TEST(Extent, PaddingMayNotWrap) {
  const Extent extent = ExtentOfShape(TensorType::kF16, {k2To62 - 1});
  EXPECT_EQ(extent.bytes, k2To63 - 2);
  EXPECT_EQ(extent.padded, std::nullopt)
      << "2^63, which is negative to a loader that counts signed";
  EXPECT_EQ(ExtentOfShape(TensorType::kF16, {k2To62 - 16}).padded, k2To63 - 32);
  EXPECT_EQ(ExtentOfShape(TensorType::kF16, {k2To62 - 15}).padded, std::nullopt);
}

TEST(Extent, TheF32TensorThatPadsToZeroInTheReferenceIsNoSize) {
  // 4 * (2^62 - 1) = 2^64 - 4 bytes are padded to 2^64, which overflows to 0.
  const Extent extent = ExtentOfShape(TensorType::kF32, {k2To62 - 1});
  EXPECT_EQ(extent.elements, k2To62 - 1);
  EXPECT_EQ(extent.bytes, std::nullopt);
  EXPECT_EQ(extent.padded, std::nullopt);
}

// Oracle computes the same in 128 bits, and stops if a number exceeds 63 bits.
struct Oracle {
  std::optional<std::uint64_t> elements, row_bytes, bytes, padded;
};

std::optional<std::uint64_t> Narrow(std::optional<Wide> value) {
  if (!value || *value > kMost63) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::optional<std::uint64_t> Product(std::optional<std::uint64_t> first,
                                     std::span<const std::uint64_t> factors) {
  for (const std::uint64_t factor : factors) {
    if (first) first = Narrow(Wide{*first} * factor);
  }
  return first;
}

Oracle Reckon(const TensorInfo& tensor, std::uint64_t alignment) {
  const std::span<const std::uint64_t> dims = tensor.dims;
  Oracle oracle;
  oracle.elements = Product(1, dims);
  const TensorTypeInfo* type = FindTensorType(tensor.type_id);
  if (!oracle.elements || type == nullptr || dims.front() % type->block_elements != 0)
    return oracle;
  const auto undivided = Narrow(Wide{dims.front()} * type->block_bytes);
  if (undivided) oracle.row_bytes = *undivided / type->block_elements;
  oracle.bytes = Product(oracle.row_bytes, dims.subspan(1));
  if (!oracle.bytes) return oracle;
  oracle.padded = Narrow((Wide{*oracle.bytes} + alignment - 1) / alignment * alignment);
  return oracle;
}

TEST(Extent, AgreesWith128BitsOnRandomShapes) {
  Numbers numbers;
  std::array<int, 5> reached{};
  for (int i = 0; i < 100'000; ++i) {
    TensorInfo tensor = Shape(static_cast<std::uint32_t>(numbers.Below(45)), {});
    const std::uint64_t shift = numbers.Below(64);
    for (std::uint64_t& dim : tensor.dims) {
      dim = numbers.Below(2) == 0 ? 1 : numbers.Next() >> shift;
    }
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    if (type != nullptr && numbers.Below(8) == 0) {  // a row that just fits, or just does not
      tensor.dims = {
          static_cast<std::uint64_t>(kMost63) / type->block_bytes + 8 - numbers.Below(64), 1, 1, 1,
          1};
    }
    if (type != nullptr && numbers.Below(4) != 0) {
      tensor.dims.front() -= tensor.dims.front() % type->block_elements;
    }
    constexpr std::array<std::uint64_t, 6> kAlignments = {1, 8, 24, 32, 1 << 20, UINT32_MAX};
    const std::uint64_t alignment = kAlignments.at(numbers.Below(kAlignments.size()));

    const Extent extent = ExtentOf(tensor, alignment);
    const Oracle oracle = Reckon(tensor, alignment);
    ASSERT_EQ(extent.elements, oracle.elements);
    ASSERT_EQ(extent.row_bytes, oracle.row_bytes);
    ASSERT_EQ(extent.bytes, oracle.bytes);
    ASSERT_EQ(extent.padded, oracle.padded);
    ++reached.at(oracle.padded      ? 4
                 : oracle.bytes     ? 3
                 : oracle.row_bytes ? 2
                 : oracle.elements  ? 1
                                    : 0);
  }
  for (const int count : reached) EXPECT_GT(count, 50) << "every way to end was taken";
}

TEST(Extent, ExtentsOfFollowsTheDirectoryAndTheAlignmentInForce) {
  Model model;
  model.Add("first", TensorType::kI8, {5});
  model.Add("second", TensorType::kF32, {20});
  model.Set(kAlignmentKey, std::uint32_t{64});
  const auto padded = [&] {
    std::vector<std::uint64_t> sizes;
    for (const Extent& extent : ExtentsOf(ParseSound(model).document)) {
      sizes.push_back(extent.padded.value_or(0));
    }
    return sizes;
  };
  EXPECT_EQ(padded(), (std::vector<std::uint64_t>{64, 128}));
  model.Set(kAlignmentKey, std::uint32_t{0});
  EXPECT_EQ(padded(), (std::vector<std::uint64_t>{5, 80})) << "an unusable alignment counts as 1";
  EXPECT_TRUE(ExtentsOf(Document{}).empty());
}

Document WithDataAt(std::optional<std::uint64_t> begin) {
  Document document;
  document.data_begin = begin;
  return document;
}

TEST(DataRange, IsTheOffsetFromTheDataSection) {
  TensorInfo tensor = Shape(0, {8});
  tensor.offset = 64;
  EXPECT_EQ(DataRange(WithDataAt(320), tensor, ExtentOf(tensor, 32)),
            (ByteRange{.begin = 384, .size = 32}));
}

TEST(DataRange, IsNothingWithoutADataSectionOrASize) {
  const TensorInfo tensor = Shape(0, {8});
  EXPECT_EQ(DataRange(WithDataAt({}), tensor, ExtentOf(tensor, 32)), std::nullopt);
  const TensorInfo unknown = Shape(4, {8});
  EXPECT_EQ(DataRange(WithDataAt(320), unknown, ExtentOf(unknown, 32)), std::nullopt);
}

TEST(DataRange, NeverLeaves63Bits) {
  TensorInfo tensor = Shape(IdOf(TensorType::kI8), {32});
  const Extent extent = ExtentOf(tensor, 32);
  const auto range = [&](std::uint64_t offset) {
    tensor.offset = offset;
    return DataRange(WithDataAt(320), tensor, extent);
  };
  EXPECT_EQ(range(k2To63 - 1 - 352), (ByteRange{.begin = k2To63 - 33, .size = 32}));
  EXPECT_EQ(range(k2To63 - 352), std::nullopt) << "ends at 2^63";
  EXPECT_EQ(range(k2To63), std::nullopt);
  EXPECT_EQ(range(UINT64_MAX - 319), std::nullopt) << "begin + offset wraps to 0";
  EXPECT_EQ(range(UINT64_MAX), std::nullopt);
}

}  // namespace
}  // namespace ggufgate::testing
