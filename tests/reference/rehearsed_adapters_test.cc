// Rehearsals of LoRA adapters with the reference library.

#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/reference/rehearsed.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

// An adapter for a matrix of the sample model with rows of 64.
Model Adapter(std::uint64_t columns, std::uint64_t rank) {
  Model model;
  model.Set("general.type", "adapter").Set("general.architecture", "llama");
  model.Set("adapter.type", "lora").Set("adapter.lora.alpha", 1.0F);
  model.Add("blk.0.attn_q.weight.lora_a", TensorType::kF32, {columns, rank});
  model.Add("blk.0.attn_q.weight.lora_b", TensorType::kF32, {rank, 64});
  return model;
}

class RehearsedAdaptersTest : public RehearsedTest {
 protected:
  // The report of the sample model with adapters.
  Json With(const std::vector<Model>& adapters, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = options;
    for (std::size_t i = 0; i < adapters.size(); ++i) {
      words.insert(words.end(), {"--lora", folder_.Write("adapter-" + std::to_string(i) + ".gguf",
                                                         Write(adapters.at(i)))});
    }
    return Report(kSample, words);
  }
  static Json ModelIn(const Json& report) { return report.at("files").at(0); }
};

TEST_F(RehearsedAdaptersTest, AModelRunsWithItsAdapters) {
  for (const char* const data : {"zeros", "real"}) {
    const Json report = With({Adapter(64, 4), Adapter(64, 1)}, {"--data", data});
    EXPECT_EQ(code_, 0) << report << errors_;
    EXPECT_EQ(ModelIn(report).at("outcome"), "runs") << report;
    EXPECT_EQ(report.at("adapters").size(), 2U);
    EXPECT_EQ(report.at("adapters").at(0).at("static_verdict"), "accept");
  }
}

TEST_F(RehearsedAdaptersTest, AnAdapterOfAnotherWidthIsRefused) {
  const Json model = ModelIn(With({Adapter(64, 4), Adapter(128, 4)}));
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(model.at("outcome"), "refuses") << model;
  EXPECT_EQ(model.at("stage"), "adapter");
  EXPECT_EQ(model.at("static_verdict"), "accept") << errors_;
  EXPECT_THAT(model.at("reason").get<std::string>(), HasSubstr("has incorrect shape"));
}

// The rules reject a pair of rank 0. Beside a sound pair, the loader crashes; alone, it gets no
// memory for the adapter.
TEST_F(RehearsedAdaptersTest, APairOfRankZeroCrashes) {
  Model adapter = Adapter(64, 0);
  adapter.Add("blk.1.attn_q.weight.lora_a", TensorType::kF32, {64, 4});
  adapter.Add("blk.1.attn_q.weight.lora_b", TensorType::kF32, {4, 64});
  const Json report = With({adapter});
  EXPECT_EQ(code_, 1) << "the rules reject it";
  EXPECT_EQ(report.at("adapters").at(0).at("static_verdict"), "reject") << report;
  const Json model = ModelIn(report);
  EXPECT_EQ(model.at("outcome"), "crashes") << model;
  EXPECT_EQ(model.at("stage"), "decode");
  const CommandResult judged = RunCommand(
      {"rehearse", "--loader", library_, kSample, "--lora", folder_.Path("adapter-0.gguf")});
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_THAT(judged.out, HasSubstr("not-rehearsed"));
  EXPECT_THAT(judged.out, HasSubstr("the rules reject an adapter"));
}

TEST_F(RehearsedAdaptersTest, LoadingIncludesAdapters) {
  EXPECT_EQ(ModelIn(With({Adapter(128, 4)}, {"--stage", "load"})).at("stage"), "adapter");
  EXPECT_EQ(ModelIn(With({Adapter(64, 4)}, {"--stage", "load"})).at("outcome"), "runs");
}

TEST_F(RehearsedAdaptersTest, TheirNumberIsLimited) {
  const std::vector<Model> most(16, Adapter(64, 1));
  EXPECT_EQ(ModelIn(With(most)).at("outcome"), "runs") << errors_;
  const Json model = ModelIn(With(std::vector<Model>(17, Adapter(64, 1))));
  EXPECT_EQ(code_, 2);
  EXPECT_THAT(model.at("reason").get<std::string>(), HasSubstr("17 adapters; at most 16"));
}

}  // namespace
}  // namespace ggufgate::testing
