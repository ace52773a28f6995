#include <gtest/gtest.h>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Section = Place::Section;

// OneTensor returns a file of one record with this name and these dimensions, without data.
Encoder OneTensor(std::string_view name, const std::vector<std::uint64_t>& dims,
                  ByteOrder order = ByteOrder::kLittle) {
  Encoder out = HeaderOf(1, 0, order);
  out.PutString(name).Put(static_cast<std::uint32_t>(dims.size()));
  for (const std::uint64_t dim : dims) out.Put(dim);
  return out.Put(std::uint32_t{12}).Put(std::uint64_t{0x4000});
}

TEST(TensorDirectory, ARecordIsReadWhereItStands) {
  for (const ByteOrder order : kOrders) {
    const Parsed parsed = ParseWhole(OneTensor("blk.0", {256, 3}, order).Take());
    ASSERT_FALSE(parsed.document.fault);
    ASSERT_EQ(parsed.document.tensors.size(), 1U);
    const TensorInfo& tensor = parsed.document.tensors.front();
    EXPECT_EQ(tensor.name, "blk.0");
    EXPECT_EQ(tensor.type_id, 12U);
    EXPECT_EQ(tensor.offset, 0x4000U);
    EXPECT_EQ(tensor.dimension_count, 2U);
    EXPECT_EQ(tensor.dims, (std::array<std::uint64_t, 5>{256, 3, 1, 1, 1}));
    EXPECT_EQ(tensor.begin, 24U);
    EXPECT_EQ(tensor.NameLengthRange(), (ByteRange{.begin = 24, .size = 8}));
    EXPECT_EQ(tensor.NameRange(), (ByteRange{.begin = 32, .size = 5}));
    EXPECT_EQ(tensor.DimensionCountRange(), (ByteRange{.begin = 37, .size = 4}));
    EXPECT_EQ(tensor.DimensionsRange(), (ByteRange{.begin = 41, .size = 16}));
    EXPECT_EQ(tensor.DimensionRange(1), (ByteRange{.begin = 49, .size = 8}));
    EXPECT_EQ(tensor.TypeRange(), (ByteRange{.begin = 57, .size = 4}));
    EXPECT_EQ(tensor.OffsetRange(), (ByteRange{.begin = 61, .size = 8}));
    EXPECT_EQ(tensor.Range(), (ByteRange{.begin = 24, .size = 45}));
    EXPECT_EQ(parsed.document.directory_end, 69U);
  }
}

TEST(TensorDirectory, NoneToFiveDimensionsAreRead) {
  std::vector<std::uint64_t> dims;
  for (std::uint32_t count = 0; count <= 5; ++count) {
    const Parsed parsed = ParseWhole(OneTensor("t", dims).Take());
    ASSERT_FALSE(parsed.document.fault);
    const TensorInfo& tensor = parsed.document.tensors.front();
    EXPECT_EQ(tensor.dimension_count, count);
    EXPECT_EQ(tensor.Dimensions().size(), count);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(tensor.dims.at(i), i < count ? 7 * (i + 1) : 1) << "absent dimensions count as 1";
    }
    dims.push_back(7 * (count + 1));
  }
}

TEST(TensorDirectory, MoreThanFiveDimensionsAreAFault) {
  for (const ByteOrder order : kOrders) {
    for (const std::uint32_t count : {6U, 7U, 0x8000'0000U, UINT32_MAX}) {
      Encoder file = HeaderOf(1, 0, order);
      file.PutString("name").Put(count).PutZeros(500);
      EXPECT_EQ(FaultOf(file.Take()),
                LineOf({.kind = FaultKind::kDimensionCount,
                        .where = {.begin = 24 + 8 + 4, .size = 4},
                        .field = "dimension count",
                        .place = {.section = Section::kTensor, .name = "name"},
                        .observed = count,
                        .allowed = 5}));
    }
  }
}

TEST(TensorDirectory, WhatTheNumbersMeanIsForTheRules) {
  Model model = Model::Minimal();
  Model::Tensor& tensor = model.tensors.front();
  tensor.type_id = 4'000'000'000;
  tensor.offset = UINT64_MAX;
  tensor.dims = {0, UINT64_MAX, std::uint64_t{1} << 63, 3};
  tensor.name.clear();
  model.tensors.push_back(tensor);
  const Parsed parsed = ParseSound(model);
  ASSERT_EQ(parsed.document.tensors.size(), 2U);
  EXPECT_EQ(parsed.document.tensors.back().offset, UINT64_MAX);
  EXPECT_EQ(parsed.document.tensors.back().dims.at(1), UINT64_MAX);
}

// Claiming returns a file of one tensor whose name claims `length` of the `rest` bytes that follow.
File Claiming(std::uint64_t length, std::uint64_t rest, ByteOrder order) {
  return HeaderOf(1, 0, order).Put(length).PutZeros(rest).Take();
}

TEST(TensorDirectory, ANameMayClaimAllBytesLeftButNotOneMore) {
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(FaultOf(Claiming(4, 20, order)), "no fault");
    EXPECT_NE(FaultOf(Claiming(20, 20, order)).find("dimension count"), std::string::npos);
    for (const std::uint64_t claimed : {std::uint64_t{21}, std::uint64_t{1} << 63, UINT64_MAX}) {
      EXPECT_EQ(FaultOf(Claiming(claimed, 20, order)),
                LineOf({.kind = FaultKind::kStringLength,
                        .where = {.begin = 24, .size = 8},
                        .field = "tensor name length",
                        .place = {.section = Section::kTensor},
                        .observed = claimed,
                        .allowed = 20}));
    }
  }
}

TEST(TensorDirectory, TheStringLimitBoundsNames) {
  Limits limits;
  limits.string_bytes = 6;
  Model model;
  model.Add("weight", TensorType::kF32, {1});
  EXPECT_EQ(FaultOf(model, limits), "no fault");
  limits.string_bytes = 5;
  EXPECT_EQ(FaultOf(model, limits), LineOf({.kind = FaultKind::kStringLength,
                                            .where = {.begin = 24, .size = 8},
                                            .field = "tensor name length",
                                            .place = {.section = Section::kTensor},
                                            .observed = 6,
                                            .allowed = 5,
                                            .by_limit = true}));
}

// The record of a 40-byte name and four dimensions, and the offset of each of its fields.
struct Field {
  std::uint64_t begin;
  std::uint64_t size;
  const char* name;
};
constexpr Field kFields[] = {
    {72, 4, "dimension count"}, {76, 8, "dimension"},  {84, 8, "dimension"},
    {92, 8, "dimension"},       {100, 8, "dimension"}, {108, 4, "tensor type"},
    {112, 8, "tensor offset"},
};

TEST(TensorDirectory, EveryCutOfARecordNamesTheFieldItCuts) {
  const std::string name(40, 'n');
  const File whole = OneTensor(name, {1, 2, 3, 4}).Take();
  ASSERT_EQ(whole.size(), 120U);
  EXPECT_EQ(FaultOf(whole), "no fault");
  for (const Field& field : kFields) {
    for (std::uint64_t cut = field.begin; cut < field.begin + field.size; ++cut) {
      EXPECT_EQ(FaultOf(PrefixOf(whole, cut)),
                LineOf({.kind = FaultKind::kTruncatedTensorInfo,
                        .where = {.begin = field.begin, .size = field.size},
                        .field = field.name,
                        .place = {.section = Section::kTensor, .name = name},
                        .observed = field.size,
                        .allowed = cut - field.begin}));
    }
  }
  for (std::uint64_t cut = 48; cut < 72; ++cut) {  // the count requires 24 bytes after the header
    EXPECT_NE(FaultOf(PrefixOf(whole, cut)).find("tensor name length"), std::string::npos) << cut;
  }
}

TEST(TensorDirectory, AFaultNamesTheTensorThatHasIt) {
  Model model;
  model.Add("first", TensorType::kF32, {1});
  model.Add("second", TensorType::kF32, {1});
  model.tensors.back().claimed_dimension_count = 6;
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.fault->place.section, Section::kTensor);
  EXPECT_EQ(parsed.document.fault->place.index, 1U);
  EXPECT_EQ(parsed.document.fault->place.name, "second");
  ASSERT_EQ(parsed.document.tensors.size(), 1U) << "what was read before it stays";
  EXPECT_EQ(parsed.document.directory_end, parsed.document.tensors.front().Range().End());
  EXPECT_FALSE(parsed.document.data_begin);
}

TEST(TensorDirectory, ASecondLengthThatIsCutIsTruncated) {
  // The name of the first takes the 24 bytes that the count requires for the second.
  Encoder file = HeaderOf(2, 0);
  file.PutString(std::string(24, 'n')).PutZeros(16);
  EXPECT_EQ(FaultOf(file.Take()), LineOf({.kind = FaultKind::kTruncatedTensorInfo,
                                          .where = {.begin = 72, .size = 8},
                                          .field = "tensor name length",
                                          .place = {.section = Section::kTensor, .index = 1},
                                          .observed = 8,
                                          .allowed = 0}));
}

}  // namespace
}  // namespace ggufgate::testing
