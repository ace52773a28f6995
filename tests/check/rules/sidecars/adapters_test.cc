// Rules about LoRA adapters and control vectors.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/contracts/contract_table.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using Dims = std::vector<std::uint64_t>;

Model Adapter(const std::vector<std::string>& names) {
  Model model;
  model.Set(kArchitectureKey, "llama").Set("general.type", "adapter");
  for (const std::string& name : names) {
    const bool is_b = name.ends_with(".lora_b");
    model.Add(name, TensorType::kF32, is_b ? Dims{1, 8} : Dims{8});
  }
  return model;
}

TEST(Adapter, HalvesComeInPairs) {
  EXPECT_THAT(
      RulesFired(Adapter({"x.lora_b", "y.lora_a", "x.lora_a", "y.lora_b", "n_norm.weight"})),
      IsEmpty());
  const Model model = Adapter({"x.lora_b", "y.lora_a", "x.lora_a", "z.lora_b"});
  EXPECT_THAT(RulesFired(model), ElementsAre("adapter"));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kAdapter);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0], Tells({NameAt(model, 1), 8}, _, _, Text("y.lora_b")));
  EXPECT_EQ(WordingOf(findings[0]), AdapterWording::kHalf);
  EXPECT_EQ(findings[1].other, Text("z.lora_a"));
  EXPECT_EQ(Severities(model, RuleId::kAdapter), "error error warning");
}

// For adapters, llama.cpp reads `general.type`, but no keys about shards.
TEST(Adapter, WhateverAKeySays) {
  Model model = Adapter({"x.lora_a"});
  for (const char* type : {"model", "imatrix", "x", ""}) {
    EXPECT_THAT(RulesFired(Model(model).Set("general.type", type)), ElementsAre("adapter")) << type;
  }
  EXPECT_THAT(
      RulesFired(
          Model(model).Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2})),
      ElementsAre("adapter"));
}

// A model of graniteswitch has halves of experts among its tensors.
TEST(Adapter, AModelMayHaveHalvesOfItsOwn) {
  Model model = Adapter({"x.lora_a", "y.weight"});
  model.Set("general.type", "model");
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set("general.type", "adapter");
  EXPECT_THAT(RulesFired(model), ElementsAre("adapter"));
}

TEST(Adapter, AShardMayHaveNothingElse) {
  Model shard = Adapter({"x.lora_a"});
  shard.Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2});
  shard.Set("general.type", "model");
  EXPECT_THAT(RulesFired(shard), IsEmpty());
  shard.Set("general.type", "adapter");
  EXPECT_THAT(RulesFired(shard), ElementsAre("adapter"));
}

TEST(Adapter, WhatIsRefusedIsSaidOfWhatClaimsToBeOne) {
  Model model = Adapter({"x.lora_a", "x.lora_b", "y.weight"});
  EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kAdapter)), AdapterWording::kSuffix);
  model.Set("general.type", "model");
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set("adapter.type", "lora");
  EXPECT_THAT(RulesFired(model), ElementsAre("adapter"));
}

TEST(Adapter, OnlyOfAdaptersThatAreWhole) {
  const Model model = Adapter({"x.lora_a"});
  std::vector<std::uint8_t> cut = Write(model);
  cut.resize(DirectoryEnd(model) - 1);
  EXPECT_THAT(Judge(cut).Rules(Severity::kError), ElementsAre("truncated-tensor-info"));
}

Model Direction(const std::string& name, std::vector<std::uint64_t> dims = {8},
                TensorType type = TensorType::kF32) {
  Model model;
  model.Set(kArchitectureKey, "controlvector");
  model.Add(name, type, std::move(dims));
  return model;
}

TEST(Adapter, DirectionsBelongToALayer) {
  for (const char* number : {"", "0", "513", "-1", "1x", "x", "1 ", "99999999999999999999"}) {
    const Model model = Direction("direction." + std::string(number));
    EXPECT_THAT(RulesFired(model), ElementsAre("adapter")) << number;
    const Finding finding = Judge(model).Only(RuleId::kAdapter);
    EXPECT_EQ(WordingOf(finding), AdapterWording::kDirection);
    EXPECT_EQ(finding.observed, Text(number));
    EXPECT_EQ(finding.allowed, Number(512));
    EXPECT_EQ(finding.where.begin, NameAt(model, 0));
  }
  for (const char* name : {"direction.1", "direction.512", "directions.0"}) {
    EXPECT_THAT(RulesFired(Direction(name)), IsEmpty()) << name;
  }
}

TEST(Adapter, DirectionsAreOneDimensionalF32) {
  const Model flat = Direction("direction.1", {4, 2});
  EXPECT_EQ(WordingOf(Judge(flat).Only(RuleId::kAdapter)), AdapterWording::kShape);
  EXPECT_EQ(Judge(flat).Only(RuleId::kAdapter).allowed, Number(2));
  EXPECT_EQ(Judge(flat).Only(RuleId::kAdapter).where, (ByteRange{DimensionsAt(flat, 0), 16}));
  const Model half = Direction("direction.1", {8}, TensorType::kF16);
  EXPECT_EQ(Judge(half).Only(RuleId::kAdapter).observed, Text("F16"));
  EXPECT_EQ(Judge(half).Only(RuleId::kAdapter).where, (ByteRange{TensorTypeAt(half, 0), 4}));
  Model removed = half;
  removed.tensors.front().type_id = 5;
  EXPECT_EQ(Judge(removed).Only(RuleId::kAdapter).observed, Text("of an unknown type"));
  EXPECT_THAT(RulesFired(Direction("direction.1", {8, 1, 1, 1})), IsEmpty());
}

TEST(Adapter, DirectionsOfAnyArchitecture) {
  Model model = Direction("direction.0");
  EXPECT_THAT(RulesFired(Model(model).Set(kArchitectureKey, "llama")), ElementsAre("adapter"));
  model.metadata.clear();
  EXPECT_THAT(RulesFired(model), ElementsAre("adapter"));
}

TEST(Adapter, DirectionsFitAnInt) {
  Model model = Direction("direction.512", {1U << 22});  // 2^31 numbers; the data are absent
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kAdapter);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(WordingOf(findings[0]), AdapterWording::kTooWide);
  EXPECT_EQ(findings[0].allowed, Number((1U << 22) - 1));
  model = Direction("direction.511", {1U << 22});
  EXPECT_THAT(FindingsOf(Judge(model), RuleId::kAdapter), IsEmpty());
}

TEST(Adapter, DirectionsAreAsWideAsTheFirst) {
  Model model = Direction("direction.1");
  model.Add("direction.2", TensorType::kF32, {4});
  const Finding finding = Judge(model).Only(RuleId::kAdapter);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(WordingOf(finding), AdapterWording::kWidth);
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"direction.2\"");
}

// Pair is an adapter with both halves for one tensor.
Model Pair(const std::string& base, Dims a, Dims b, TensorType type = TensorType::kF32) {
  Model model;
  model.Set(kArchitectureKey, "llama").Set("general.type", "adapter").Set("adapter.type", "lora");
  model.Add(base + ".lora_a", type, std::move(a));
  model.Add(base + ".lora_b", TensorType::kF32, std::move(b));
  if (type == TensorType::kQ8_1 || type == TensorType::kQ8_K) {
    model.Set("general.quantization_version", std::uint32_t{2});
  }
  return model;
}

constexpr const char* kQuery = "blk.0.attn_q.weight";
constexpr const char* kTokens = "token_embd.weight";
constexpr const char* kExperts = "blk.0.ffn_up_exps.weight";

TEST(Adapter, HalvesAreMultipliedWith) {
  for (const TensorType type :
       {TensorType::kI8, TensorType::kI16, TensorType::kI32, TensorType::kI64, TensorType::kF64,
        TensorType::kQ8_1, TensorType::kQ8_K}) {
    const Model model = Pair(kQuery, {256, 2}, {2, 256}, type);
    EXPECT_THAT(Judge(model).Rules(Severity::kError), ElementsAre("adapter"));
    EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kAdapter)), AdapterWording::kKernel);
    EXPECT_EQ(Judge(model).Only(RuleId::kAdapter).where, (ByteRange{TensorTypeAt(model, 0), 4}));
  }
  EXPECT_THAT(RulesFired(Pair(kQuery, {256, 2}, {2, 256}, TensorType::kF16)), IsEmpty());
  EXPECT_THAT(RulesFired(Pair(kQuery, {256, 2}, {2, 256}, TensorType::kBF16)), IsEmpty());
}

TEST(Adapter, HalvesHaveTheDimensionsOfMatrices) {
  using Said = std::pair<AdapterWording, Severity>;
  const auto said = [](const Model& model) {
    std::vector<Said> all;
    for (const Finding& finding : FindingsOf(Judge(model), RuleId::kAdapter)) {
      all.emplace_back(static_cast<AdapterWording>(finding.wording), finding.severity);
    }
    return all;
  };
  const Said wrong = {AdapterWording::kDimensions, Severity::kError};
  const Said flat = {AdapterWording::kExperts, Severity::kError};
  const Said unequal = {AdapterWording::kDepth, Severity::kError};
  EXPECT_THAT(said(Pair(kQuery, {8, 2, 2}, {2, 8, 2})), ElementsAre(wrong, wrong));
  EXPECT_THAT(said(Pair(kQuery, {8, 2, 1, 2}, {2, 8})), ElementsAre(wrong));
  EXPECT_THAT(said(Pair(kExperts, {8, 2, 4}, {2, 8, 4})), IsEmpty());
  EXPECT_THAT(said(Pair(kExperts, {8, 2, 4}, {2, 8, 2})), ElementsAre(unequal));
  EXPECT_THAT(said(Pair(kExperts, {8, 2}, {2, 8})), ElementsAre(flat, flat));
  EXPECT_THAT(said(Pair("blk.0.attn_k_b.weight", {8, 2, 4}, {2, 8, 4})), IsEmpty());
}

TEST(Adapter, RanksAreEqual) {
  EXPECT_THAT(Judge(Pair(kTokens, {2, 4}, {2, 8})).Rules(Severity::kError), IsEmpty());
  const std::vector<Finding> both =
      FindingsOf(Judge(Pair(kTokens, {2, 4}, {3, 8})), RuleId::kAdapter);
  ASSERT_EQ(both.size(), 2U);  // the other applies to any model without output.weight
  const Finding finding = both.back();
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(WordingOf(finding), AdapterWording::kRank);
  EXPECT_EQ(finding.observed, Number(2));
  EXPECT_EQ(finding.allowed, Number(3));
  EXPECT_EQ(finding.other, Text("token_embd.weight.lora_b"));
  const Finding refused = Judge(Pair(kQuery, {8, 2}, {3, 8})).Only(RuleId::kAdapter);
  EXPECT_EQ(refused.severity, Severity::kWarning);
}

TEST(Adapter, TheRankIsNotZero) {
  EXPECT_EQ(WordingOf(Judge(Pair(kQuery, {8, 0}, {0, 8})).Only(RuleId::kAdapter)),
            AdapterWording::kRankZero);
  EXPECT_THAT(RulesFired(Pair(kQuery, {8, 1}, {1, 8})), IsEmpty());
}

// A model that uses its embeddings as output crashes on it; other models do not.
TEST(Adapter, TokensOfAModelWithoutOutput) {
  Model model = Pair(kTokens, {2, 4}, {2, 8});
  const Finding finding = Judge(model).Only(RuleId::kAdapter);
  EXPECT_EQ(WordingOf(finding), AdapterWording::kTied);
  EXPECT_EQ(Severities(model, RuleId::kAdapter), "warning warning warning");
  model.Add("output.weight.lora_a", TensorType::kF32, {8, 2});
  model.Add("output.weight.lora_b", TensorType::kF32, {2, 4});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

// codeshell uses its output as the embedding if it has none.
TEST(Adapter, OutputOfAModelWithoutEmbedding) {
  Model model = Pair("output.weight", {8, 2}, {2, 8});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set(kArchitectureKey, "codeshell");
  const Finding finding = Judge(model).Only(RuleId::kAdapter);
  EXPECT_EQ(WordingOf(finding), AdapterWording::kRows);
  EXPECT_EQ(finding.other, Text("token_embd.weight"));
  EXPECT_EQ(Severities(model, RuleId::kAdapter), "warning warning warning");
  model.Add("token_embd.weight.lora_a", TensorType::kF32, {2, 4});
  model.Add("token_embd.weight.lora_b", TensorType::kF32, {2, 8});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

// Of llama.cpp, as "v0.4.0".
Policy ForRelease(std::string_view version) {
  Policy policy;
  for (const ContractTable& table : ContractTable::Learned()) {
    if (!table.release().ends_with(version)) continue;
    policy.loaders = {std::make_shared<const ContractTable>(table)};
  }
  EXPECT_FALSE(policy.loaders.empty()) << version;
  return policy;
}

// Older releases require that some results are products, and an adapter makes them sums.
TEST(Adapter, OlderReleasesAbortAtSomeProducts) {
  Model model = Pair("blk.3.ffn_down.weight", {8, 2}, {2, 8});
  model.Set(kArchitectureKey, "glm4");
  EXPECT_THAT(RulesFired(model), IsEmpty());  // llama.cpp v0.5.0 runs
  for (const char* const release : {"v0.4.0", "b10361"}) {
    SCOPED_TRACE(release);
    const Policy policy = ForRelease(release);
    const Finding finding = Judge(model, policy).Only(RuleId::kAdapter);
    EXPECT_EQ(WordingOf(finding), AdapterWording::kUnadapted);
    EXPECT_EQ(finding.severity, Severity::kError);
    Model other = Pair("blk.3.ffn_up.weight", {8, 2}, {2, 8});
    EXPECT_THAT(RulesFired(other.Set(kArchitectureKey, "glm4"), policy), IsEmpty());
    EXPECT_THAT(RulesFired(Model(model).Set(kArchitectureKey, "llama"), policy), IsEmpty());
  }
}

TEST(Adapter, WhatLlamaCppRefusesIsAWarning) {
  const auto expect = [](const Model& model, AdapterWording wording) {
    const Finding finding = Judge(model).Only(RuleId::kAdapter);
    EXPECT_EQ(finding.severity, Severity::kWarning);
    EXPECT_EQ(WordingOf(finding), wording);
  };
  const Model pair = Pair(kQuery, {8, 2}, {2, 8});
  expect(Model(pair).Set("adapter.type", "dora"), AdapterWording::kOtherType);
  constexpr const char* kInvocation = "adapter.alora.invocation_tokens";
  expect(Model(pair).Set(kInvocation, std::vector<std::int32_t>{1}), AdapterWording::kInvocation);
  Model other = pair;
  other.Add("blk.0.attn_q.scale", TensorType::kF32, {8});
  expect(other, AdapterWording::kSuffix);
  EXPECT_THAT(RulesFired(Model(pair).Set(kInvocation, std::vector<std::uint32_t>{1})), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
