// Rehearsals with the reference library: models that run, and the most similar models that do not,
// regardless of the rules.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "parse/model.h"
#include "tests/oracles/plain_files.h"
#include "tests/reference/rehearsed.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Model Sample() {
  File file;
  EXPECT_TRUE(ReadWhole(kSample, file));
  const Parsed parsed = ParseWhole(std::move(file));
  return ModelOf(parsed.document, parsed.file);
}

Model::Tensor& TensorOf(Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &Model::Tensor::name);
  EXPECT_NE(found, model.tensors.end()) << name;
  return *found;
}

// A vocabulary with another name, of the same length, for one token.
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

using RehearsedModelsTest = RehearsedTest;

TEST_F(RehearsedModelsTest, AModelRuns) {
  const Json report = Report(kSample);
  EXPECT_EQ(code_, 0) << report << errors_;
  EXPECT_EQ(report.at("schema"), "ggufgate.rehearsal/1");
  EXPECT_EQ(report.at("loader").at("path"), fs::canonical(library_).string());
  EXPECT_EQ(report.at("loader").at("sha256").get<std::string>().size(), 64U);
  EXPECT_THAT(report.at("loader").at("version").get<std::string>(), HasSubstr("0.5.0"));
  const Json& file = report.at("files").at(0);
  EXPECT_EQ(file.at("outcome"), "runs") << file;
  EXPECT_EQ(file.at("stage"), "done");
  EXPECT_GT(file.at("peak_bytes"), 1'000'000);
  EXPECT_LT(file.at("read_bytes"), file.at("size"));
}

TEST_F(RehearsedModelsTest, AModelRunsWithItsOwnData) {
  const Json report = Report(kSample, {"--data", "real"});
  EXPECT_EQ(code_, 0) << report << errors_;
  EXPECT_EQ(report.at("data"), "real");
  const Json& file = report.at("files").at(0);
  EXPECT_EQ(file.at("outcome"), "runs") << file;
  EXPECT_EQ(file.at("read_bytes"), file.at("size"));
}

TEST_F(RehearsedModelsTest, StagesStopEarlier) {
  Model model = Sample();
  // Its matrix has another type of the same size without a kernel: decoding calls a null pointer.
  TensorOf(model, "blk.1.attn_output.weight").type_id = IdOf(TensorType::kI16);
  for (const char* const stage : {"load", "context"}) {
    EXPECT_EQ(Rehearse(model, {"--stage", stage}).at("outcome"), "runs") << stage << errors_;
    EXPECT_EQ(code_, 1) << "the rules reject it";
  }
  const Json crash = Rehearse(model);
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(crash.at("outcome"), "crashes");
  EXPECT_EQ(crash.at("stage"), "decode");
  EXPECT_EQ(crash.at("signal"), 11);
}

// llama.cpp v0.5.0 can chat with such models, but crashes if it is asked for embeddings.
TEST_F(RehearsedModelsTest, EmbeddingsCanBeLeftOut) {
  const std::string model = folder_.path() + "/deepseek4.gguf";
  ASSERT_EQ(RunCommand({"generate", "--architecture", "deepseek4", "--output", model}).exit_code,
            0);
  const Json chat = Report(model, {"--stage", "decode"}).at("files").at(0);
  EXPECT_EQ(code_, 0) << errors_;
  EXPECT_EQ(chat.at("outcome"), "runs") << chat;
  const Json all = Report(model).at("files").at(0);
  EXPECT_EQ(all.at("outcome"), "crashes") << all;
  EXPECT_EQ(all.at("stage"), "embeddings");
  EXPECT_THAT(all.at("notes").dump(), HasSubstr("try --stage decode"));
}

TEST_F(RehearsedModelsTest, AssertionsAreToldOf) {
  const Json load = Rehearse(WithToken("<0x01>", "<0x00>"));
  EXPECT_EQ(load.at("outcome"), "crashes") << load;
  EXPECT_EQ(load.at("stage"), "load");
  EXPECT_THAT(load.at("reason").get<std::string>(), HasSubstr("GGML_ASSERT"));
  Model epsilon = Sample();
  const Json decode = Rehearse(epsilon.Set("llama.attention.layer_norm_rms_epsilon", -1.0F));
  EXPECT_EQ(decode.at("outcome"), "crashes") << decode;
  EXPECT_EQ(decode.at("stage"), "decode");
  EXPECT_THAT(decode.at("reason").get<std::string>(), HasSubstr("eps"));
}

TEST_F(RehearsedModelsTest, ExceptionsThatNobodyCatchesAreCrashes) {
  const Json file = Rehearse(WithToken("<0xC3>", "[0xC3]"));
  EXPECT_EQ(file.at("outcome"), "crashes") << file;
  EXPECT_EQ(file.at("stage"), "vocabulary");
}

// A byte that is the beginning of a token of an RWKV vocabulary, but is not a token itself.
TEST_F(RehearsedModelsTest, HangsAreEnded) {
  const Json file = Rehearse(Sample().Set("tokenizer.ggml.model", "rwkv"), {"--seconds", "1"});
  EXPECT_THAT(file.at("outcome"), ::testing::AnyOf("hangs", "exceeds-memory")) << file;
  EXPECT_EQ(file.at("stage"), "vocabulary");
}

TEST_F(RehearsedModelsTest, ARefusalGivesTheLoadersReason) {
  const Json file = Rehearse(Sample().Set("general.architecture", "zlama"));
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(file.at("outcome"), "refuses") << file;
  EXPECT_EQ(file.at("stage"), "load");
  EXPECT_NE(file.at("reason"), "");
  static_cast<void>(Rehearse(Sample().Set("general.architecture", "zlama"), {"--accept-refusal"}));
  EXPECT_EQ(code_, 0);
}

// The weights are not read, so they may have any length.
TEST_F(RehearsedModelsTest, WeightsTakeNoMemory) {
  const std::vector<std::uint8_t> whole = Write(Sample());
  const std::string path = folder_.MakeSparse("model.gguf", whole, std::uint64_t{100} << 30);
  const Json file = Report(path).at("files").at(0);
  EXPECT_EQ(file.at("outcome"), "runs") << file << errors_;
  EXPECT_LT(file.at("peak_bytes"), std::uint64_t{400} << 20);
}

// The same with growing memory.
TEST_F(RehearsedModelsTest, MemoryIsBounded) {
  const Json file = Rehearse(Sample().Set("tokenizer.ggml.model", "rwkv"), {"--memory", "64"});
  EXPECT_EQ(code_, 1);
  EXPECT_EQ(file.at("outcome"), "exceeds-memory") << file;
}

// ShardsOf splits the sample: the first shard has the metadata, the others share the tensors.
std::vector<Model> ShardsOf(const Model& whole, std::uint16_t count) {
  std::vector<Model> shards;
  for (std::uint16_t number = 0; number < count; ++number) {
    Model shard = whole;
    if (number > 0) {
      std::erase_if(shard.metadata,
                    [](const Model::Entry& entry) { return entry.key != "general.alignment"; });
    }
    shard.tensors.clear();
    for (std::size_t i = number; i < whole.tensors.size(); i += count) {
      shard.tensors.push_back(whole.tensors.at(i));
    }
    shard.LayOut();
    shard.Set("split.no", number).Set("split.count", count);
    shard.Set("split.tensors.count", static_cast<std::int32_t>(whole.tensors.size()));
    shards.push_back(std::move(shard));
  }
  return shards;
}

TEST_F(RehearsedModelsTest, ASetOfShardsRuns) {
  const std::vector<Model> shards = ShardsOf(Sample(), 3);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    paths.push_back(folder_.Write("model-0000" + std::to_string(i + 1) + "-of-00003.gguf",
                                  Write(shards.at(i))));
  }
  const Json set = Report(paths.front()).at("files").at(0);
  EXPECT_EQ(code_, 0) << set << errors_;
  EXPECT_EQ(set.at("outcome"), "runs") << set << errors_;
  EXPECT_EQ(set.at("shards"), 3);
  // A loader opens a set by its first shard.
  EXPECT_EQ(Report(paths.back()).at("files").at(0).at("outcome"), "not-rehearsed");
  const CommandResult program = RunCommand({"rehearse", paths.front(), "--", "cat", "{}"});
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_THAT(program.out, HasSubstr("use --loader LIBLLAMA"));

  std::filesystem::remove(paths.at(1));
  const Json incomplete = Report(paths.front()).at("files").at(0);
  EXPECT_EQ(code_, 1) << "the rules reject it";
  EXPECT_EQ(incomplete.at("outcome"), "not-rehearsed") << incomplete;
}

// A tensor of the last shard decides: it has a type without a kernel.
TEST_F(RehearsedModelsTest, AllShardsOfASetAreLoaded) {
  std::vector<Model> shards = ShardsOf(Sample(), 2);
  const std::string wanted = "blk.1.attn_output.weight";
  const std::string first = folder_.Path("model-00001-of-00002.gguf");
  for (std::size_t i = 0; i < shards.size(); ++i) {
    for (Model::Tensor& tensor : shards.at(i).tensors) {
      if (tensor.name == wanted) tensor.type_id = IdOf(TensorType::kI16);
    }
    folder_.Write("model-0000" + std::to_string(i + 1) + "-of-00002.gguf", Write(shards.at(i)));
  }
  const Json crash = Report(first).at("files").at(0);
  EXPECT_EQ(crash.at("outcome"), "crashes") << crash << errors_;
  EXPECT_EQ(crash.at("stage"), "decode");
}

TEST_F(RehearsedModelsTest, RunRunsTheCommandOnlyAfterTheRehearsal) {
  const auto run = [&](const std::string& model) {
    return RunCommand({"run", "--rehearse", library_, model, "--", "echo", "started", "{}"});
  };
  const std::string sound = folder_.Write("sound.gguf", Write(Sample()));
  const CommandResult runs = run(sound);
  EXPECT_EQ(runs.exit_code, 0) << runs.error;
  EXPECT_THAT(runs.out, ::testing::StartsWith("started "));
  // The rules only warn of this model, because other loaders may know the architecture.
  const CommandResult refused =
      run(folder_.Write("other.gguf", Write(Sample().Set("general.architecture", "zlama"))));
  EXPECT_EQ(refused.exit_code, 1) << refused.error;
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.error, HasSubstr("refuses"));
}

TEST_F(RehearsedModelsTest, LoneShardsAndOtherLibrariesAreNotRehearsed) {
  const Json shard = Rehearse(Sample().Set("split.count", std::uint16_t{2}));
  EXPECT_EQ(shard.at("outcome"), "not-rehearsed");
  const CommandResult other = RunCommand(
      {"rehearse", "--loader", fs::path(library_).replace_filename("libggml-base.so"), kSample});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.out, HasSubstr("the library has no function"));
}

}  // namespace
}  // namespace ggufgate::testing
