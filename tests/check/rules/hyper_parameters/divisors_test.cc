// Rules about divisors that are used before any tensor is read.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

Model Of(const std::string& architecture, std::uint32_t layers = 2) {
  Model model;
  model.Set(kArchitectureKey, architecture).Set(architecture + ".block_count", layers);
  return model;
}

TEST(EmbeddingLength, IsNotZero) {
  for (const char* architecture : {"llama", "mamba", "newest"}) {
    Model model = Of(architecture);
    const std::string key = std::string(architecture) + ".embedding_length";
    model.Set(key, std::uint32_t{0});
    EXPECT_THAT(Judge(model).Rules(Severity::kError), ElementsAre("embedding-length"));
    const Finding finding = Judge(model).Only(RuleId::kEmbeddingLength);
    EXPECT_EQ(finding.where, (ByteRange{ValueAt(model, 2), 4}));
    EXPECT_EQ(Severities(model, RuleId::kEmbeddingLength), "error error warning");
    model.Set(key, std::uint32_t{1});
    EXPECT_THAT(Judge(model).Rules(Severity::kError), IsEmpty());
  }
}

TEST(DivisorMissing, WhereHeadsAreDividedBy) {
  for (const auto& [architecture, layers] :
       {std::pair{"olmo2", 2U}, {"phimoe", 2U}, {"gemma2", 46U}, {"gemma3", 62U}}) {
    SCOPED_TRACE(architecture);
    Model model = Of(architecture, layers);
    const std::string key = std::string(architecture) + ".attention.head_count";
    const Finding finding = SoleFinding(model, RuleId::kDivisorMissing);
    EXPECT_EQ(WordingOf(finding), DivisorMissingWording::kAbsent);
    EXPECT_EQ(finding.other, Text(key));
    EXPECT_EQ(Severities(model, RuleId::kDivisorMissing), "error error warning");
    model.Set(key, std::uint32_t{2});
    EXPECT_THAT(RulesFired(model), IsEmpty());
  }
  EXPECT_THAT(RulesFired(Of("gemma2", 26)), IsEmpty());
  EXPECT_THAT(RulesFired(Of("gemma3", 46)), IsEmpty());
  EXPECT_THAT(RulesFired(Of("llama")), IsEmpty());
}

TEST(DivisorMissing, HeadsOfTheFirstLayer) {
  using U32s = std::vector<std::uint32_t>;
  Model model = Of("olmo2");
  model.Set("olmo2.attention.head_count", U32s{0, 2});
  const Finding finding = SoleFinding(model, RuleId::kDivisorMissing);
  EXPECT_EQ(finding.subject.element, 0U);
  EXPECT_EQ(WordingOf(finding), DivisorMissingWording::kZero);
  model.Set("olmo2.attention.head_count", U32s{2, 0});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set("olmo2.attention.head_count", std::uint32_t{0});
  EXPECT_THAT(RulesFired(model), ElementsAre("head-count")) << "said once";
}

// The loader divides for any type of file.
TEST(DivisorMissing, WhateverAKeySays) {
  const Model model = Of("olmo2");
  for (const char* type : {"model", "adapter", "mmproj", "imatrix", "x"}) {
    EXPECT_THAT(RulesFired(Model(model).Set("general.type", type)), ElementsAre("divisor-missing"));
  }
  EXPECT_THAT(RulesFired(Model(model).Set("adapter.type", "lora")), ElementsAre("divisor-missing"));
  EXPECT_THAT(RulesFired(Model(model).Set("split.no", std::uint16_t{1})),
              ElementsAre("divisor-missing"));
}

TEST(DivisorMissing, NotOfAnAdapterThatNoLoaderTakesForAModel) {
  Model adapter;
  adapter.Set(kArchitectureKey, "olmo2");
  EXPECT_THAT(RulesFired(adapter), ElementsAre("divisor-missing"));
  adapter.Add("blk.0.attn_q.weight.lora_a", TensorType::kF32, {8});
  adapter.Add("blk.0.attn_q.weight.lora_b", TensorType::kF32, {1, 8});
  EXPECT_THAT(RulesFired(adapter), IsEmpty());
  // With these keys the loader reaches the division, and reads the tensors later.
  for (const char* key : {"context_length", "embedding_length", "block_count"}) {
    EXPECT_THAT(RulesFired(adapter), IsEmpty()) << key;
    adapter.Set("olmo2." + std::string(key), std::uint32_t{8});
  }
  EXPECT_THAT(RulesFired(adapter), ElementsAre("divisor-missing"));
}

TEST(DivisorMissing, OnlyInModelsThatWereReadWhole) {
  const Model model = Of("olmo2");
  EXPECT_THAT(
      RulesFired(
          Model(model).Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2})),
      IsEmpty());
  std::vector<std::uint8_t> cut = Write(model);
  cut.pop_back();
  EXPECT_THAT(Judge(cut).Rules(Severity::kError), ElementsAre("truncated-metadata"));
}

}  // namespace
}  // namespace ggufgate::testing
