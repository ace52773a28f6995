// Which owner of a tensor type the signs in a file name.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

// OfType is a file with a tensor of 512 by 8 elements in `bytes`, and one of floats behind.
Model OfType(std::uint32_t id, std::size_t bytes) {
  Model model;
  model.Add("weight", TensorType::kI8, {512, 8}).data.assign(bytes, 0x11);
  model.Add("behind", TensorType::kF32, {8});
  model.LayOut();
  model.tensors.front().type_id = id;
  return model;
}

std::string Owner(const Model& model) {
  const Finding finding = Judge(model).Only(RuleId::kTensorType);
  return finding.cause.other;
}

constexpr std::size_t kElements = std::size_t{512} * 8;

TEST(ForeignTypes, TheSizeTellsTheOwner) {
  EXPECT_EQ(Owner(OfType(36, kElements / 4 + 32)), "I2_S of bitnet.cpp or of ik_llama.cpp");
  EXPECT_EQ(Owner(OfType(36, kElements / 32 * 18)),
            "TQ3_4SE of llama.cpp-tq3 or IQ4_NL_4_4, removed from ggml in 2024");
  EXPECT_EQ(Owner(OfType(38, kElements / 4 + 32)), "TL1 of bitnet.cpp");
  EXPECT_EQ(Owner(OfType(38, kElements / 32 * 18)), "IQ4_NL_8_8, removed from ggml in 2024");
  EXPECT_EQ(Owner(OfType(46, kElements / 32 * 16)), "TQ3_4S of llama.cpp-tq3");
  EXPECT_EQ(Owner(OfType(46, kElements / 32 * 20)), "TQ4_1S of llama-cpp-turboquant");
  EXPECT_EQ(Owner(OfType(142, kElements / 128 * 34)), "PQ2_0 of PrismML's llama.cpp");
  EXPECT_EQ(Owner(OfType(142, kElements / 256 * 64 + 8 * 4)),
            "IQ2_TN (until 2024) of ik_llama.cpp");
  EXPECT_EQ(Owner(OfType(143, kElements / 128 * 28)), "PTQ1_0 of PrismML's llama.cpp");
}

TEST(ForeignTypes, ASizeOfNoneLeavesAll) {
  EXPECT_EQ(Owner(OfType(142, 4096)),
            "IQ2_TN (until 2024) of ik_llama.cpp or PQ2_0 of PrismML's llama.cpp");
  EXPECT_EQ(Owner(OfType(107, kElements / 32 * 10)),
            "Q2_0_ROCMFPX of ROCmFPX or affine ROCmFP2 of ROCmFPX");
}

TEST(ForeignTypes, TheArchitectureTellsTheOwner) {
  Model model = OfType(4, kElements / 32 * 17);
  model.Set("general.architecture", "gptoss");
  const Finding finding = Judge(model).Only(RuleId::kTensorType);
  EXPECT_EQ(finding.cause.kind, Cause::Kind::kOllamaType);
  EXPECT_TRUE(finding.cause.other.starts_with("MXFP4 of Ollama")) << finding.cause.other;
  model.Set("general.architecture", "llama");
  EXPECT_EQ(Owner(model), "Q4_2, removed from ggml in 2023");
}

TEST(ForeignTypes, OtherTypesTellTheOwner) {
  Model model = OfType(142, 4096);
  model.Add("beside", TensorType::kI8, {256}).type_id = 137;  // of ik_llama.cpp alone
  EXPECT_EQ(Owner(model), "IQ2_TN (until 2024) of ik_llama.cpp");
  model.tensors.back().type_id = 143;  // of both
  EXPECT_TRUE(Owner(model).ends_with("PQ2_0 of PrismML's llama.cpp"));
}

TEST(ForeignTypes, TheFileTypeTellsTheOwner) {
  Model model;
  model.Add("last", TensorType::kI8, {256}).type_id = 36;  // nothing behind it: no size
  model.Set("general.file_type", std::uint32_t{40});
  EXPECT_EQ(Owner(model), "I2_S of bitnet.cpp or of ik_llama.cpp");
  model.Set("general.file_type", std::uint32_t{7});
  EXPECT_TRUE(Owner(model).ends_with("removed from ggml in 2024")) << Owner(model);
}

TEST(ForeignTypes, SizesOutOfRange) {
  Model model = OfType(36, 64);
  model.tensors.front().dims = {UINT64_MAX, UINT64_MAX};
  EXPECT_TRUE(Owner(model).starts_with("I2_S of bitnet.cpp"));
  model.tensors.back().offset = UINT64_MAX - 31;
  EXPECT_TRUE(Owner(model).starts_with("I2_S of bitnet.cpp"));
}

}  // namespace
}  // namespace ggufgate::testing
