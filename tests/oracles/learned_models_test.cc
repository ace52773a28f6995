// Models of `ggufgate generate`, loaded by the library: each must load and decode.

#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "format/contracts/contract.h"
#include "mutate/generate/learned_model.h"
#include "mutate/generate/learned_vocabulary.h"
#include "tests/oracles/llama_cpp/asker.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using mutate::LearnedPlan;

// The release aborts with these architectures after decoding: on a second context for embeddings
// ("tensor read out of bounds"), and on moving decoded state (no buffer for it).
RunOptions OptionsFor(std::string_view architecture) {
  std::string_view words;
  if (architecture == "qwen4exp" || architecture == "deepseek4") words = "no-embeddings";
  if (architecture == "lfm2") words = "no-shift";
  const std::optional<RunOptions> options = ReadRunOptions(words);
  EXPECT_TRUE(options) << words;
  return options.value_or(RunOptions());
}

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static Library library;
    static const std::string problem = Open(library);
    if (!problem.empty()) GTEST_SKIP() << problem;
    asker_ = std::make_unique<Asker>(library, Limits{});
  }

  void Runs(const LearnedPlan& plan) {
    const std::string path = folder_.Path("model.gguf");
    std::filesystem::remove(path);
    folder_.Write("model.gguf", Write(MakeLearned(plan)));
    const Answer answer = asker_->Ask(path, OptionsFor(plan.contract->architecture));
    EXPECT_EQ(answer.outcome, Outcome::kRan) << WordFor(answer.stage) << ": " << answer.message;
    EXPECT_TRUE(answer.decoded);
  }

  testing::TempFolder folder_;
  std::unique_ptr<Asker> asker_;
};

class FormTest : public RunTest, public ::testing::WithParamInterface<ContractForm> {};

TEST_P(FormTest, OfEachArchitectureRuns) {
  for (const Contract& contract : AllContracts()) {
    if (!FormsOf(contract).Has(GetParam())) continue;
    SCOPED_TRACE(contract.architecture);
    Runs({.contract = &contract,
          .form = GetParam(),
          .vocabulary = mutate::FindVocabulary(contract.vocabulary).value()});
  }
}

std::string FormName(const ::testing::TestParamInfo<ContractForm>& info) {
  constexpr std::array<const char*, kContractFormCount> kNames = {"Dense", "Experts", "WholeDense",
                                                                  "WholeExperts"};
  return kNames.at(static_cast<std::size_t>(info.param));
}

INSTANTIATE_TEST_SUITE_P(LearnedModels, FormTest,
                         ::testing::Values(ContractForm::kDense, ContractForm::kExperts,
                                           ContractForm::kWholeDense, ContractForm::kWholeExperts),
                         FormName);

using LearnedModelsTest = RunTest;

// All combinations work; the test uses one for each way to decode.
TEST_F(LearnedModelsTest, WithEachVocabularyRun) {
  for (const char* name : {"llama", "qwen3moe", "mamba", "bert", "t5", "rwkv7", "plamo2"}) {
    const Contract* contract = FindContract(name);
    for (const mutate::VocabularyWord& one : mutate::kVocabularyWords) {
      SCOPED_TRACE(std::string(name) + " " + std::string(one.word));
      Runs({.contract = contract,
            .form = mutate::SimplestForm(*contract, false, false).value(),
            .vocabulary = one.kind});
    }
  }
}

// deepseek4 and qwen4exp have rows of 256 values, which large blocks require.
TEST_F(LearnedModelsTest, WithEachTypeOfMatricesRun) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (!RunsInMatrices(type.type)) continue;
    int ran = 0;
    for (const char* name : {"llama", "qwen3moe", "mamba", "gemma4", "deepseek4", "qwen4exp"}) {
      const Contract* contract = FindContract(name);
      const LearnedPlan plan{.contract = contract,
                             .form = mutate::SimplestForm(*contract, false, false).value(),
                             .type = type.type};
      if (mutate::MatricesOf(MakeLearned(plan), type.type) == 0) continue;
      SCOPED_TRACE(std::string(name) + " " + std::string(type.name));
      Runs(plan);
      ++ran;
    }
    EXPECT_GT(ran, 0) << type.name;
  }
}

// NVFP4 is not used for matrices with a scale and a bias, on which the release aborts.
TEST_F(LearnedModelsTest, WithScalesAndBiasesRunInNvfp4) {
  for (const char* name : {"llama", "llama-embed", "mistral3", "nemotron_h", "nemotron_h_moe"}) {
    SCOPED_TRACE(name);
    Runs({.contract = FindContract(name),
          .form = ContractForm::kWholeDense,
          .type = TensorType::kNVFP4});
  }
}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp
