// The rule about memory that a few bytes make a loader allocate.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

using Numbers = std::vector<std::pair<std::string, std::uint32_t>>;

Model ModelOfNumbers(const std::string& architecture, const Numbers& numbers) {
  Model model;
  model.Set(kArchitectureKey, architecture);
  for (const auto& [name, value] : numbers) model.Set(architecture + "." + name, value);
  return model;
}

// The estimate for the contexts of any model.
constexpr std::uint64_t kEveryContext = std::uint64_t{96} << 20;

// Demanded returns the memory beyond kEveryContext in the first finding, or 0 without a finding.
std::uint64_t Demanded(const Model& model, std::uint64_t limit) {
  Policy policy;
  policy.limits.loader_memory = limit;
  const std::vector<Finding> findings = FindingsOf(Judge(model, policy), RuleId::kMemoryDemand);
  return findings.empty() ? 0 : std::get<std::uint64_t>(findings.front().observed) - kEveryContext;
}

std::string Culprit(const Model& model) {
  return Judge(model).Only(RuleId::kMemoryDemand).subject.name;
}

Numbers Attending(std::uint32_t layers, std::uint32_t width, std::uint32_t heads) {
  return {{"block_count", layers}, {"embedding_length", width}, {"attention.head_count", heads}};
}

// Mask and cells of 512 tokens.
constexpr std::uint64_t kMask = 512 * (1024 + 52);

TEST(MemoryDemand, KeysAndValues) {
  Numbers numbers = Attending(2, 64, 2);
  EXPECT_EQ(Demanded(ModelOfNumbers("phi2", numbers), 1), 2U * 2 * 512 * 128 + kMask);
  numbers.emplace_back("attention.head_count_kv", 1);
  EXPECT_EQ(Demanded(ModelOfNumbers("phi2", numbers), 1), 2U * 2 * 512 * 64 + kMask);
  numbers.emplace_back("attention.key_length", 1000);
  EXPECT_EQ(Demanded(ModelOfNumbers("phi2", numbers), 1), 2U * 2 * 512 * (1000 + 32) + kMask);
  numbers.back().second = UINT32_MAX;
  const Model model = ModelOfNumbers("phi2", numbers);
  EXPECT_THAT(RulesFired(model), ElementsAre("memory-demand"));
  EXPECT_EQ(Culprit(model), "phi2.attention.key_length");
  EXPECT_EQ(Severities(model, RuleId::kMemoryDemand), "error error warning");
  const Finding finding = Judge(model).Only(RuleId::kMemoryDemand);
  EXPECT_EQ(WordingOf(finding), MemoryDemandWording::kAtOnce);
  EXPECT_EQ(finding.allowed, Number(4 * kGiB + Write(model).size()));
}

// Seen with mellum: a window of nearly 4 GiB, and no memory left for the contexts.
TEST(MemoryDemand, ContextsTakeTheirPart) {
  const auto window = [](std::uint64_t bytes) {
    return ModelOfNumbers("gemma2",
                          {{"attention.sliding_window", static_cast<std::uint32_t>(bytes / 4)}});
  };
  EXPECT_EQ(Demanded(window(4 * kGiB - kEveryContext), 4 * kGiB), 0U);
  EXPECT_EQ(Demanded(window(4 * kGiB - kEveryContext / 2), 4 * kGiB), 4 * kGiB - kEveryContext / 2);
}

TEST(MemoryDemand, TheLargestOfALayer) {
  Model model = ModelOfNumbers("deci", {{"block_count", 2}, {"embedding_length", 64}});
  model.Set("deci.attention.head_count", std::vector<std::uint32_t>{2, 2});
  model.Set("deci.attention.head_count_kv", std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(Demanded(model, 1), 2U * 2 * 512 * 64 + kMask);
}

// Seen with jais: the number of key heads of a later layer, each with the width of the first
// layer's.
TEST(MemoryDemand, TheWidthOfAHeadIsTheFirstLayers) {
  Model model = ModelOfNumbers("jais", {{"block_count", 2}, {"embedding_length", 64}});
  model.Set("jais.attention.head_count", std::vector<std::uint32_t>{2, UINT32_MAX});
  EXPECT_THAT(Judge(model).Rules(), Contains("memory-demand"));
  model.Set("jais.attention.head_count", std::vector<std::uint32_t>{2, 4});
  EXPECT_EQ(Demanded(model, 1), 2U * 2 * 512 * (4 * 2 * 32) + kMask);
  model.Set("jais.attention.head_count", std::vector<std::uint32_t>{0, 4});
  EXPECT_EQ(Demanded(model, 1), 2U * 2 * 512 * (4 * 2 * 16) + kMask);
}

TEST(MemoryDemand, WithoutHeadsNothingIsAttendedTo) {
  Numbers numbers = Attending(2, 64, 0);
  numbers.emplace_back("attention.key_length", UINT32_MAX);
  EXPECT_THAT(RulesFired(ModelOfNumbers("mamba", numbers)), IsEmpty());
}

TEST(MemoryDemand, StatesOfRecurrentLayers) {
  const Numbers layers = {{"block_count", 4}, {"embedding_length", 100}};
  const auto with = [&](Numbers more) {
    more.insert(more.end(), layers.begin(), layers.end());
    return ModelOfNumbers("mamba", more);
  };
  EXPECT_EQ(Demanded(with({{"wkv.head_size", 64}, {"token_shift_count", 1}}), 1), 16U * 100 * 65);
  EXPECT_EQ(Demanded(with({{"wkv.head_size", 64}}), 1), 16U * 100 * 66);
  EXPECT_EQ(Demanded(with({{"ssm.inner_size", 128},
                           {"ssm.state_size", 16},
                           {"ssm.group_count", 2},
                           {"ssm.conv_kernel", 4}}),
                     1),
            16U * (3 * (128 + 2 * 2 * 16) + 16 * 128));
  EXPECT_EQ(Demanded(with({{"shortconv.l_cache", 3}}), 1), 16U * 3 * 100);
  EXPECT_EQ(Culprit(with({{"wkv.head_size", 64}, {"token_shift_count", UINT32_MAX}})),
            "mamba.token_shift_count");
  EXPECT_EQ(Culprit(with({{"ssm.state_size", 16}, {"ssm.inner_size", UINT32_MAX}})),
            "mamba.ssm.inner_size");
}

TEST(MemoryDemand, OutputsWindowsAndVocabularies) {
  EXPECT_EQ(Demanded(ModelOfNumbers("bert", {{"embedding_length_out", 1000}}), 1), 2'048'000U);
  EXPECT_EQ(Demanded(ModelOfNumbers("gemma2", {{"attention.sliding_window", 1000}}), 1), 4'000U);
  Model model = ModelOfNumbers("llama", {{"vocab_size", 1U << 22}});
  EXPECT_THAT(RulesFired(model), IsEmpty()) << "no tokenizer made it up";
  for (const char* word : {"no_vocab", "none"}) {
    model.Set("tokenizer.ggml.model", word);
    EXPECT_EQ(Demanded(model, 1), (std::uint64_t{1} << 22) * (40 + 4 * 513));
    EXPECT_THAT(RulesFired(model), ElementsAre("memory-demand", "vocabulary-claimed"));
    EXPECT_EQ(Culprit(model), "llama.vocab_size");
  }
  model.Set("llama.vocab_size", 1U << 20);
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(MemoryDemand, ContextOfTheTrainedLengthIsAWarning) {
  Numbers numbers = Attending(2, 64, 2);
  numbers.emplace_back("context_length", UINT32_MAX);
  Model model = ModelOfNumbers("llama", numbers);
  EXPECT_THAT(RulesFired(model), IsEmpty()) << "no tensors: a vocabulary by itself";
  model.Add("output_norm.weight", TensorType::kF32, {64});
  const Finding finding = Judge(model).Only(RuleId::kMemoryDemand);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(WordingOf(finding), MemoryDemandWording::kWholeContext);
  EXPECT_EQ(finding.subject.name, "llama.context_length");
  EXPECT_EQ(finding.observed,
            Number(std::uint64_t{UINT32_MAX} * (512 + 1024 + 52) + kEveryContext));
  EXPECT_EQ(finding.allowed, Number(4 * kGiB + 1024 * Write(model).size()));
  model.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2});
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kMemoryDemand), 0U) << "the set is larger";
}

// Numbers of published models, in small files.
TEST(MemoryDemand, PublishedModelsAskForLess) {
  struct Published {
    const char* name;
    std::uint64_t bytes;
    std::uint32_t layers, width, heads, heads_kv, key, context;
  };
  constexpr std::uint64_t kMB = 1'000'000;
  for (const Published& model : std::vector<Published>{
           {"Llama 4 Scout", 30'000 * kMB, 48, 5120, 40, 8, 128, 10'485'760},
           {"Llama 3 8B, 4M tokens", 2'000 * kMB, 32, 4096, 32, 8, 128, 4'194'304},
           {"Qwen3 0.6B", 200 * kMB, 28, 1024, 16, 8, 128, 40'960},
           {"BLOOM, first shard", 20 * kMB, 70, 14336, 112, 112, 128, 2'048},
           {"DeepSeek V3, first shard", 8 * kMB, 61, 7168, 128, 128, 192, 163'840}}) {
    SCOPED_TRACE(model.name);
    Numbers numbers = Attending(model.layers, model.width, model.heads);
    numbers.emplace_back("attention.head_count_kv", model.heads_kv);
    numbers.emplace_back("attention.key_length", model.key);
    numbers.emplace_back("attention.value_length", model.key);
    Model file = ModelOfNumbers("llama", numbers);
    const std::uint64_t at_once = Demanded(file, 1);
    EXPECT_LT(at_once, 4 * kGiB);
    const std::uint64_t whole = at_once / 512 * model.context;
    if (model.bytes > 100 * kMB) {
      EXPECT_LT(whole, 4 * kGiB + 1024 * model.bytes);
    }
  }
}

TEST(MemoryDemand, ControlVectors) {
  Model model;
  model.Set(kArchitectureKey, "controlvector");
  model.Add("direction.100", TensorType::kF32, {1000});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  Policy policy;
  policy.limits.loader_memory = 1;
  const Finding finding = Judge(model, policy).Only(RuleId::kMemoryDemand);
  EXPECT_EQ(finding.observed, Number(std::uint64_t{400'000}));
  EXPECT_EQ(WordingOf(finding), MemoryDemandWording::kControlVector);
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"direction.100\"");
}

TEST(MemoryDemand, NumbersThatAreTooLargeSaturate) {
  Model model = ModelOfNumbers("llama", {{"block_count", 512}, {"embedding_length", UINT32_MAX}});
  model.Set("llama.attention.head_count", UINT64_MAX);
  model.Set("llama.attention.head_count_kv", UINT64_MAX);
  model.Set("llama.attention.key_length", UINT64_MAX);
  EXPECT_EQ(Demanded(model, kGiB), UINT64_MAX - kEveryContext) << "no more than that";
  model.Set("llama.attention.key_length", std::int32_t{-1});
  model.Set("llama.attention.head_count_kv", std::int32_t{-1});
  EXPECT_EQ(Demanded(model, kGiB), 0U);
}

}  // namespace
}  // namespace ggufgate::testing
