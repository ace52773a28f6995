#include "format/tensors/tensor_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace ggufgate {
namespace {

// An independent copy of the table of FORMAT, queried from the reference library.
struct TypeRow {
  std::uint32_t id;
  std::string_view name;
  std::uint32_t block_elements;
  std::uint32_t block_bytes;
};

constexpr TypeRow kTypeRows[] = {
    {0, "F32", 1, 4},         {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},
    {3, "Q4_1", 32, 20},      {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34},      {9, "Q8_1", 32, 36},      {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},   {12, "Q4_K", 256, 144},   {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},   {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},  {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},   {21, "IQ3_S", 256, 110},  {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136}, {24, "I8", 1, 1},         {25, "I16", 1, 2},
    {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8},
    {29, "IQ1_M", 256, 56},   {30, "BF16", 1, 2},       {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},    {40, "NVFP4", 64, 36},
    {41, "Q1_0", 128, 18},    {42, "Q2_0", 64, 18},
};

TEST(TensorType, EveryTypeOfTheReferenceIsKnownWithItsBlock) {
  for (const TypeRow& row : kTypeRows) {
    const TensorTypeInfo* info = FindTensorType(row.id);
    ASSERT_NE(info, nullptr) << row.name;
    EXPECT_EQ(static_cast<std::uint32_t>(info->type), row.id);
    EXPECT_EQ(info->name, row.name);
    EXPECT_EQ(info->block_elements, row.block_elements) << row.name;
    EXPECT_EQ(info->block_bytes, row.block_bytes) << row.name;
    EXPECT_EQ(info->quantised, row.block_elements > 1) << row.name;
  }
}

TEST(TensorType, NoOtherNumberIsKnown) {
  for (std::uint32_t id = 0; id < 1'000; ++id) {
    const bool known = std::ranges::find(kTypeRows, id, &TypeRow::id) != std::end(kTypeRows);
    EXPECT_EQ(FindTensorType(id) != nullptr, known) << id;
  }
  EXPECT_EQ(FindTensorType(UINT32_MAX), nullptr);
  EXPECT_EQ(FindTensorType(0x0200'0000), nullptr) << "Q4_0 in the other byte order";
}

TEST(TensorType, TheListHasThemAllInTheOrderOfTheirNumbers) {
  ASSERT_EQ(AllTensorTypes().size(), std::size(kTypeRows));
  for (std::size_t i = 0; i < std::size(kTypeRows); ++i) {
    EXPECT_EQ(static_cast<std::uint32_t>(AllTensorTypes()[i].type), kTypeRows[i].id);
  }
}

TEST(TensorType, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const TensorTypeInfo& info : AllTensorTypes()) names.insert(info.name);
  EXPECT_EQ(names.size(), AllTensorTypes().size());
}

TEST(TensorType, ThreeNumbersHaveAnotherLayoutInAFork) {
  struct Fork {
    std::uint32_t id;
    std::uint32_t elements;
    std::uint32_t bytes;
  };
  for (const Fork& fork : {Fork{15, 256, 296}, Fork{40, 32, 6}, Fork{42, 128, 34}}) {
    const ForkLayout* layout = FindForkLayout(fork.id);
    ASSERT_NE(layout, nullptr) << fork.id;
    EXPECT_EQ(layout->id, fork.id);
    EXPECT_EQ(layout->block_elements, fork.elements) << fork.id;
    EXPECT_EQ(layout->block_bytes, fork.bytes) << fork.id;
    EXPECT_FALSE(layout->fork.empty()) << fork.id;
  }
  for (std::uint32_t id = 0; id < 1'000; ++id) {
    EXPECT_EQ(FindForkLayout(id) != nullptr, id == 15 || id == 40 || id == 42) << id;
  }
}

TEST(TensorType, AForksLayoutDiffersFromTheReferences) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const ForkLayout* fork = FindForkLayout(static_cast<std::uint32_t>(info.type));
    if (fork == nullptr) continue;
    EXPECT_NE(fork->block_bytes * info.block_elements, info.block_bytes * fork->block_elements)
        << info.name;
  }
}

TEST(FindTensorTypeNamed, TakesTheNameAsPrinted) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    EXPECT_EQ(FindTensorTypeNamed(type.name), &type);
  }
  EXPECT_EQ(FindTensorTypeNamed("q4_k"), nullptr);
  EXPECT_EQ(FindTensorTypeNamed(""), nullptr);
}

// Source: ggml_repack_get_optimal_repack_type of llama.cpp v0.5.0.
TEST(RepackedOn, DependsOnProcessorAndRows) {
  EXPECT_EQ(RepackedOn(TensorType::kQ4_0, 264), "x86-64 and 64-bit ARM");
  EXPECT_EQ(RepackedOn(TensorType::kQ4_0, 260), "64-bit ARM") << "a multiple of four";
  EXPECT_EQ(RepackedOn(TensorType::kQ4_0, 262), "");
  EXPECT_EQ(RepackedOn(TensorType::kQ8_0, 260), "64-bit ARM");
  EXPECT_EQ(RepackedOn(TensorType::kQ6_K, 264), "64-bit ARM");
  EXPECT_EQ(RepackedOn(TensorType::kQ6_K, 260), "");
  EXPECT_EQ(RepackedOn(TensorType::kQ2_K, 264), "x86-64");
  EXPECT_EQ(RepackedOn(TensorType::kQ5_1, 264), "");
  EXPECT_EQ(RepackedOn(TensorType::kF16, 264), "");
}

}  // namespace
}  // namespace ggufgate
