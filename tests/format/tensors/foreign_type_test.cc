#include "format/tensors/foreign_type.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "format/tensors/tensor_type.h"

namespace ggufgate {
namespace {

// NamesOf are the meanings of a number, in the order of the table.
std::string NamesOf(std::uint32_t id) {
  std::string names;
  for (const ForeignType& type : ForeignTypesOf(id)) {
    names.append(names.empty() ? "" : "; ").append(type.name).append(InfoOf(type.owner).text);
  }
  return names;
}

TEST(ForeignType, RemovedNumbersAreForeign) {
  for (const std::uint32_t id : {4U, 5U, 31U, 32U, 33U, 36U, 37U, 38U}) {
    EXPECT_EQ(FindTensorType(id), nullptr) << id;
    EXPECT_NE(NamesOf(id).find(", removed from ggml in 202"), std::string::npos) << NamesOf(id);
  }
}

TEST(ForeignType, SomeNumbersHaveSeveralOwners) {
  EXPECT_EQ(NamesOf(142), "IQ2_TN (until 2024) of ik_llama.cpp; PQ2_0 of PrismML's llama.cpp");
  EXPECT_TRUE(NamesOf(36).starts_with("I2_S of bitnet.cpp; I2_S of ik_llama.cpp; TQ3_4SE"));
  EXPECT_EQ(NamesOf(46), "TQ3_4S of llama.cpp-tq3; TQ4_1S of llama-cpp-turboquant");
  EXPECT_EQ(ForeignTypesOf(107).size(), 2U) << "two layouts of one size";
}

TEST(ForeignType, NumbersOfOneFork) {
  EXPECT_EQ(NamesOf(133), "Q6_0 of ik_llama.cpp");
  EXPECT_EQ(NamesOf(144), "IQ4_KS of ik_llama.cpp") << "26 is I32, whatever some texts say";
  EXPECT_EQ(NamesOf(399), "Q8_K_R8 of ik_llama.cpp");
  EXPECT_EQ(NamesOf(100), "Q4_0_ROCMFP4 of ROCmFPX");
}

TEST(ForeignType, NoNumberIsBothKnownAndForeign) {
  for (std::uint32_t id = 0; id < 1'000; ++id) {
    EXPECT_FALSE(FindTensorType(id) != nullptr && !ForeignTypesOf(id).empty()) << id;
  }
}

TEST(ForeignType, OfSomeNumbersNothingIsKnown) {
  for (const std::uint32_t id : {0U, 60U, 96U, 400U, UINT32_MAX}) {
    EXPECT_TRUE(ForeignTypesOf(id).empty()) << id;
  }
}

TEST(ForeignType, AMeaningStandsOnce) {
  std::set<std::pair<std::uint32_t, std::string_view>> seen;
  for (std::uint32_t id = 0; id < 1'000; ++id) {
    for (const ForeignType& type : ForeignTypesOf(id)) {
      EXPECT_EQ(type.id, id);
      EXPECT_FALSE(type.name.empty()) << id;
      EXPECT_EQ(type.block_elements == 0, type.block_bytes == 0) << id;
      const bool again = type.owner == TypeOwner::kIk && id == 36;  // both programs load I2_S
      EXPECT_TRUE(seen.emplace(id, type.name).second || again) << type.name;
    }
  }
}

}  // namespace
}  // namespace ggufgate
