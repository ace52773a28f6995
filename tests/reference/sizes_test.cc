// Compares the table of tensor types, and the sizes computed from it, with those of the library.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "parse/extent.h"
#include "parse/parse.h"
#include "tests/support/reference/library.h"
#include "tests/support/reference/models.h"

namespace ggufgate::testing {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

using Sizes = ReferenceTest;

TEST_F(Sizes, TheTypeTableIsTheLibrarys) {
  constexpr std::uint32_t kPastTheirTable = 43;  // there the library reads beyond its table
  for (std::uint32_t id = 0; id < kPastTheirTable; ++id) {
    SCOPED_TRACE("type " + std::to_string(id));
    const auto facts = Library().FactsOf(id);
    const TensorTypeInfo* info = FindTensorType(id);
    if (info == nullptr) {
      EXPECT_TRUE(!facts || facts->block_elements == 0 || facts->block_bytes == 0)
          << "the library knows " << facts->name;
      continue;
    }
    ASSERT_TRUE(facts) << "the library dies of it";
    EXPECT_EQ(info->block_elements, facts->block_elements);
    EXPECT_EQ(info->block_bytes, facts->block_bytes);
    EXPECT_EQ(info->quantised, facts->quantised);
    EXPECT_EQ(Lower(info->name), Lower(facts->name));
  }
}

TEST_F(Sizes, TheTypesTheLibraryRefusesAreThoseTheTableLacks) {
  std::vector<std::uint32_t> ids{100, 255, 256, INT32_MAX, std::uint32_t{1} << 31, UINT32_MAX};
  for (std::uint32_t id = 0; id <= 50; ++id) ids.push_back(id);
  for (const std::uint32_t id : ids) {
    Model model;
    model.Add("weight", TensorType::kF32, {256});
    model.tensors.front().type_id = id;
    const bool known = FindTensorType(id) != nullptr;
    EXPECT_EQ(Library().Ask(Write(model), Mode::kMetadata),
              known ? Answer::kLoads : Answer::kRefuses)
        << id;
  }
}

// SoundModel has tensors of one type in random shapes, without their data. The library accepts that
// as long as it only reads the directory.
Model SoundModel(const TensorTypeInfo& type, Random& random) {
  Model model;
  std::uint64_t offset = 0;
  for (int i = 0; i < 32; ++i) {
    std::vector<std::uint64_t> dims{type.block_elements * (1 + random.Below(40))};
    while (dims.size() < kMaximumDimensions && !random.OneIn(3)) {
      dims.push_back(random.Below(1000));
    }
    model.tensors.push_back({.name = "t" + std::to_string(i),
                             .dims = dims,
                             .type_id = static_cast<std::uint32_t>(type.type),
                             .offset = offset});
    TensorInfo info{.type_id = model.tensors.back().type_id};
    std::ranges::copy(dims, info.dims.begin());
    offset += ExtentOf(info, kDefaultAlignment).padded.value();
  }
  return model;
}

TEST_F(Sizes, ExtentsAreTheLibrarys) {
  Random random(7);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    SCOPED_TRACE(type.name);
    const std::vector<std::uint8_t> file = Write(SoundModel(type, random));
    const ParseResult parsed = Parse(file, file.size(), {});
    const auto sizes = Library().TensorSizes(file);
    ASSERT_TRUE(sizes) << "does not load";
    ASSERT_EQ(parsed.document.tensors.size(), sizes->size());
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      const TensorInfo& tensor = parsed.document.tensors.at(i);
      EXPECT_EQ(ExtentOf(tensor, kDefaultAlignment).bytes, sizes->at(i)) << tensor.name;
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
