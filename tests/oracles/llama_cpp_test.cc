// Tests the oracle with a model that runs, and with similar models that do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "format/tensors/tensor_type.h"
#include "tests/oracles/llama_cpp/asker.h"
#include "tests/oracles/plain_files.h"
#include "tests/support/command.h"
#include "tests/support/parse_helpers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kSample = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/valid/sample-llama.gguf";
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

Model Sample() {
  testing::File file;
  EXPECT_TRUE(testing::ReadWhole(kSample, file));
  const testing::Parsed parsed = testing::ParseWhole(std::move(file));
  return ModelOf(parsed.document, parsed.file);
}

// Its matrix has a type of the same size, but without a kernel.
Model WithoutAKernel() {
  Model model = Sample();
  const auto tensor =
      std::ranges::find(model.tensors, "blk.1.attn_output.weight", &Model::Tensor::name);
  EXPECT_EQ(tensor->type_id, IdOf(TensorType::kBF16));
  tensor->type_id = IdOf(TensorType::kI16);
  return model;
}

// A vocabulary in which one token has another name.
Model WithToken(std::string_view old_name, std::string_view new_name) {
  Model model = Sample();
  for (Model::Entry& entry : model.metadata) {
    if (entry.key != "tokenizer.ggml.tokens") continue;
    const auto at =
        std::search(entry.payload.begin(), entry.payload.end(), old_name.begin(), old_name.end());
    EXPECT_NE(at, entry.payload.end());
    std::ranges::copy(new_name, at);
  }
  return model;
}

class OracleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static Library library;
    static const std::string problem = Open(library);
    if (!problem.empty()) GTEST_SKIP() << problem;
    library_ = &library;
  }

  Answer Ask(const std::string& path, const RunOptions& options = {}, const Limits& limits = {}) {
    Asker asker(*library_, limits);
    return asker.Ask(path, options);
  }
  Answer Ask(const Model& model, const RunOptions& options = {}, const Limits& limits = {}) {
    return Ask(folder_.Write("model.gguf", Write(model)), options, limits);
  }

  testing::TempFolder folder_;
  const Library* library_ = nullptr;
};

TEST_F(OracleTest, AModelRunsThroughAllStages) {
  const Answer answer = Ask(kSample);
  EXPECT_EQ(answer.outcome, Outcome::kRan) << answer.message;
  EXPECT_EQ(answer.stage, Stage::kDone);
  EXPECT_TRUE(answer.decoded);
  EXPECT_EQ(answer.message, "");
  EXPECT_GT(answer.peak_bytes, kMebibyte);
  EXPECT_LT(answer.peak_bytes, 256 * kMebibyte);
}

TEST_F(OracleTest, EveryOptionIsHeeded) {
  for (const char* words :
       {"vocabulary", "sequences", "check,flash", "no-flash,long", "no-text,no-embeddings",
        "whole-context,plain-weights", "save", "rotations"}) {
    const auto options = ReadRunOptions(words);
    ASSERT_TRUE(options) << words;
    const Answer answer = Ask(kSample, *options);
    EXPECT_EQ(answer.outcome, Outcome::kRan) << words << ": " << answer.message;
    EXPECT_EQ(answer.decoded, std::string_view(words) != "vocabulary") << words;
    EXPECT_FALSE(answer.odd_rows) << words;
  }
  EXPECT_FALSE(ReadRunOptions("check,chek"));
  EXPECT_EQ(ReadRunOptions("adapter:/a/b,check").value().adapter, "/a/b");
}

TEST_F(OracleTest, RefusesCleanly) {
  const Answer absent = Ask(folder_.Path("absent.gguf"));
  EXPECT_EQ(absent.outcome, Outcome::kRefused);
  EXPECT_EQ(absent.stage, Stage::kLoad);
  const Answer unknown = Ask(Sample().Set("general.architecture", "zlama"));
  EXPECT_EQ(unknown.outcome, Outcome::kRefused);
  EXPECT_EQ(unknown.stage, Stage::kLoad);
  EXPECT_THAT(unknown.message, HasSubstr("unknown model architecture: 'zlama'"));
  EXPECT_EQ(unknown.signal, 0);
  const Answer adapter = Ask(kSample, {.adapter = kSample});
  EXPECT_EQ(adapter.outcome, Outcome::kRefused);
  EXPECT_EQ(adapter.stage, Stage::kAdapter);
}

// An adapter of this width for one matrix of the sample.
Model Adapter(std::uint64_t width) {
  Model model;
  model.Set("general.type", "adapter").Set("general.architecture", "llama");
  model.Set("adapter.type", "lora").Set("adapter.lora.alpha", 1.0F);
  model.Add("blk.0.attn_q.weight.lora_a", TensorType::kF32, {width, 4});
  model.Add("blk.0.attn_q.weight.lora_b", TensorType::kF32, {4, width});
  return model;
}

TEST_F(OracleTest, RunsWithAnAdapter) {
  const Answer fits = Ask(kSample, {.adapter = folder_.Write("fits.gguf", Write(Adapter(64)))});
  EXPECT_EQ(fits.outcome, Outcome::kRan) << fits.message;
  const Answer wide = Ask(kSample, {.adapter = folder_.Write("wide.gguf", Write(Adapter(128)))});
  EXPECT_EQ(wide.outcome, Outcome::kRefused);
  EXPECT_EQ(wide.stage, Stage::kAdapter);
  EXPECT_THAT(wide.message, HasSubstr("has incorrect shape"));
}

TEST_F(OracleTest, DiesOfASignal) {
  const Answer answer = Ask(WithoutAKernel());
  EXPECT_EQ(answer.outcome, Outcome::kDied);
  EXPECT_EQ(answer.signal, SIGSEGV);
  EXPECT_EQ(answer.stage, Stage::kDecode);
  EXPECT_FALSE(answer.decoded);
  EXPECT_THAT(answer.message, HasSubstr("ggml_compute_forward_mul_mat"));
  EXPECT_GT(answer.peak_bytes, kMebibyte);
}

TEST_F(OracleTest, DiesOfAnAssertion) {
  const Answer answer = Ask(WithToken("<0x01>", "<0x00>"));
  EXPECT_EQ(answer.outcome, Outcome::kDied);
  EXPECT_EQ(answer.signal, SIGABRT);
  EXPECT_EQ(answer.stage, Stage::kLoad);
  EXPECT_THAT(answer.message, StartsWith("src/llama-vocab.cpp:"));
  EXPECT_THAT(answer.message, HasSubstr("GGML_ASSERT"));
}

TEST_F(OracleTest, DiesOfAnException) {
  const Answer answer = Ask(WithToken("<0xC3>", "[0xC3]"));
  EXPECT_EQ(answer.outcome, Outcome::kDied);
  EXPECT_EQ(answer.signal, 0);
  EXPECT_EQ(answer.stage, Stage::kTokenize);
  EXPECT_THAT(answer.message, StartsWith("uncaught std::out_of_range"));
}

// A byte that begins a token of an RWKV vocabulary, but is not a token.
TEST_F(OracleTest, Hangs) {
  Model model = Sample().Set("tokenizer.ggml.model", "rwkv");
  const Answer answer = Ask(model, {}, {.seconds = 0.2});
  EXPECT_EQ(answer.outcome, Outcome::kHung) << answer.message;
  EXPECT_EQ(answer.signal, SIGPROF);
}

TEST_F(OracleTest, WantsTooMuchMemory) {
  const Answer little = Ask(kSample, {}, {.memory = 8 * kMebibyte});
  EXPECT_EQ(little.outcome, Outcome::kMemory) << little.message;
  Model model = Sample().Set("llama.context_length", std::uint32_t{1} << 24);
  const Answer large = Ask(model, {.whole_context = true});
  EXPECT_EQ(large.outcome, Outcome::kMemory) << large.message;
  EXPECT_EQ(large.stage, Stage::kContext);
  EXPECT_EQ(Ask(model).outcome, Outcome::kRan) << "nobody asks for all of it";
}

TEST(TellingLineTest, TheLineThatSaysWhyAndNoFolders) {
  EXPECT_EQ(TellingLine("x\n/a/llama.cpp/src/b.cpp:12: GGML_ASSERT(c) failed\ny\n", End::kDied),
            "src/b.cpp:12: GGML_ASSERT(c) failed");
  EXPECT_EQ(TellingLine("/a/llama.cpp/ggml/src/b.c:12: fatal error", End::kDied),
            "ggml/src/b.c:12: fatal error");
  EXPECT_EQ(TellingLine("f: error loading model: d\ng: failed to load model\n", End::kDone),
            "f: error loading model: d");
  EXPECT_EQ(TellingLine("first failed\nthen failed\n", End::kDone), "then failed");
  EXPECT_EQ(TellingLine("something failed\n", End::kDied), "") << "that need not be why";
  EXPECT_EQ(TellingLine("", End::kDied), "");
  EXPECT_EQ(TellingLine("\ndied in _ZN1a1bEi (c.so+0x1)\n", End::kDied), "died in a::b (c.so+0x1)");
}

std::vector<Json> Lines(const std::string& text) {
  std::vector<Json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

using OracleProgramTest = OracleTest;

TEST_F(OracleProgramTest, AskLlamaAnswersEachLine) {
  const std::string killer = folder_.Write("killer.gguf", Write(WithoutAKernel()));
  for (const bool guarded : {false, true}) {
    std::vector<std::string> arguments = {"--memory", "2048"};
    if (guarded) arguments.emplace_back("--guard");
    const testing::CommandResult result = testing::RunProgram(
        GGUFGATE_ASK_LLAMA, arguments,
        {.input = kSample + "\tno-text\n" + killer + "\n" + kSample + "\tnonsense\n"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    const std::vector<Json> lines = Lines(result.out);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines.at(0).at("file"), kSample);
    EXPECT_EQ(lines.at(0).at("outcome"), "ran");
    EXPECT_EQ(lines.at(0).at("stage"), "done");
    EXPECT_EQ(lines.at(0).at("signal"), nullptr);
    EXPECT_EQ(lines.at(0).at("decoded"), true);
    EXPECT_EQ(lines.at(1).at("outcome"), "died");
    EXPECT_EQ(lines.at(1).at("signal"), "SIGSEGV");
    EXPECT_EQ(lines.at(2).at("error"), "no such option");
  }
}

TEST_F(OracleProgramTest, WrongUsageAndNoLibrary) {
  EXPECT_EQ(testing::RunProgram(GGUFGATE_ASK_LLAMA, {"--memory", "0"}).exit_code, 2);
  EXPECT_EQ(testing::RunProgram(GGUFGATE_LEARN_LLAMA, {"--nonsense"}).exit_code, 2);
  EXPECT_EQ(testing::RunProgram(GGUFGATE_ASK_LLAMA, {"--help"}).exit_code, 0);
  const testing::CommandResult result = testing::RunProgram(
      GGUFGATE_ASK_LLAMA, {kSample}, {.environment = {"GGUFGATE_LLAMA=/nowhere"}});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("scripts/fetch-reference"));
}

TEST_F(OracleProgramTest, LearnLlamaTellsKeysAndTensors) {
  const std::string unknown =
      folder_.Write("unknown.gguf", Write(Sample().Set("general.architecture", "zlama")));
  const testing::CommandResult result =
      testing::RunProgram(GGUFGATE_LEARN_LLAMA, {kSample, unknown});
  const std::vector<Json> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 2U) << result.error;
  const Json& built = lines.at(0);
  EXPECT_EQ(built.at("outcome"), "built") << built.at("message");
  EXPECT_THAT(built.at("keys"),
              Contains(Json{{"key", "llama.block_count"}, {"type", "u32"}, {"found", true}}));
  EXPECT_THAT(built.at("keys"), Contains(Json{{"key", "llama.attention.layer_norm_rms_epsilon"},
                                              {"type", "f32"},
                                              {"found", true}}));
  EXPECT_THAT(built.at("keys"),
              Contains(Json{{"key", "llama.expert_count"}, {"type", nullptr}, {"found", false}}));
  EXPECT_THAT(
      built.at("keys"),
      Contains(Json{{"key", "tokenizer.ggml.tokens"}, {"type", "arr[str]"}, {"found", true}}));
  EXPECT_THAT(built.at("tensors_sought"),
              Contains(Json{{"name", "blk.1.ffn_down.weight"}, {"found", true}}));
  EXPECT_THAT(
      built.at("tensors"),
      Contains(Json{{"name", "blk.0.attn_k.weight"}, {"type", "q4_0"}, {"dims", {64, 32, 1, 1}}}));
  EXPECT_EQ(lines.at(1).at("outcome"), "refused");
  EXPECT_THAT(lines.at(1).at("tensors"), IsEmpty());
}

TEST(GuardedBlocksTest, WhatIsBehindABlockFaults) {
  const std::vector<std::string> preloaded = {std::string("LD_PRELOAD=") + GGUFGATE_GUARDED_BLOCKS};
  const auto run = [&](const char* what) {
    return testing::RunProgram(GGUFGATE_OVERRUN, {what}, {.environment = preloaded});
  };
  EXPECT_EQ(run("").exit_code, 0);
  EXPECT_EQ(run("grow").exit_code, 0);
  for (const char* what : {"write", "read", "late"}) EXPECT_EQ(run(what).signal, SIGSEGV) << what;
}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp
