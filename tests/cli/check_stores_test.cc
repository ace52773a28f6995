// ggufgate check: the stores of Ollama and Hugging Face, each with a good, a zeroed, a truncated, a
// swapped and a missing blob.

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using File = std::vector<std::uint8_t>;

// NewModel makes a different model for each number.
File NewModel(std::uint32_t number) {
  Model model = Model::Minimal();
  model.Set("test.number", number);
  model.Add("w", TensorType::kF32, {8});
  return Write(model);
}

// Damage damages a blob in the way that `kind` names.
void Damage(const std::string& kind, const std::string& path, const File& content) {
  File other = content;
  if (kind == "zeroed") std::ranges::fill(other, std::uint8_t{0});
  if (kind == "cut") other.resize(other.size() - 16);
  if (kind == "swapped") other = NewModel(99);
  if (kind == "missing") {
    fs::remove(path);
  } else {
    WriteFileAt(path, AsText(other));
  }
}

constexpr std::array kKinds = {"good", "zeroed", "cut", "swapped", "missing"};

// RulesOf returns the errors of a JSON report for a path.
std::vector<std::string> RulesOf(const CommandResult& result, const std::string& path) {
  const Json report = Json::parse(result.out);
  for (const Json& file : report.at("files")) {
    if (file.at("path") != path) continue;
    std::vector<std::string> rules = {file.at("verdict")};
    for (const Json& finding : file.at("findings")) {
      if (finding.at("severity") == "error") rules.push_back(finding.at("rule"));
    }
    std::ranges::sort(rules);
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
  }
  return {"not told of"};
}

class OllamaStore : public ::testing::Test {
 protected:
  OllamaStore() {
    std::uint32_t number = 0;
    for (const std::string kind : kKinds) {
      const File model = NewModel(number++);
      const std::string digest = maker.PutModel(Path(kind), model);
      if (kind != "good") Damage(kind, maker.PathOfBlob(digest), model);
    }
  }
  static std::string Path(const std::string& kind) {
    return "registry.ollama.ai/library/" + kind + "/1b";
  }
  static std::string Name(const std::string& kind) {
    return "registry.ollama.ai/library/" + kind + ":1b";
  }

  const TempFolder folder;
  const OllamaMaker maker{folder.Path("models")};
  const std::string store = folder.Path("models");
};

TEST_F(OllamaStore, EachModelIsNamedAndRight) {
  const CommandResult result =
      RunCommand({"check", "--ollama", store, "--data", "full", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(RulesOf(result, Name("good")), ElementsAre("accept"));
  EXPECT_THAT(RulesOf(result, Name("zeroed")), ElementsAre("magic", "reject", "store-blob-digest"));
  EXPECT_THAT(RulesOf(result, Name("cut")),
              ElementsAre("reject", "store-blob-digest", "store-blob-size", "tensor-data-bounds"));
  EXPECT_THAT(RulesOf(result, Name("swapped")), ElementsAre("reject", "store-blob-digest"));
  EXPECT_THAT(RulesOf(result, Name("missing")), ElementsAre("reject", "store-blob-missing"));
  EXPECT_EQ(Json::parse(result.out).at("files").size(), kKinds.size());
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));
}

TEST_F(OllamaStore, WithoutDigestsOnlyTheSwappedPasses) {
  const CommandResult result = RunCommand({"check", "--ollama", store, "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(RulesOf(result, Name("swapped")), ElementsAre("accept"));
  EXPECT_THAT(RulesOf(result, Name("zeroed")), ElementsAre("magic", "reject"));
  const CommandResult asked =
      RunCommand({"check", "--ollama", store, "--verify-digest", "--format", "json"});
  EXPECT_THAT(RulesOf(asked, Name("swapped")), ElementsAre("reject", "store-blob-digest"));
}

TEST_F(OllamaStore, IsNoticedWhereverItLies) {
  folder.Write("beside.gguf", NewModel(7));
  const CommandResult result = RunCommand({"check", "--data", "full", folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("ok      " + folder.Path("beside.gguf")),
                    HasSubstr("ok      " + Name("good")), HasSubstr("reject  " + Name("zeroed"))));
  EXPECT_THAT(result.out, Not(HasSubstr("blobs/sha256-")));
  EXPECT_EQ(result.error, "6 files: 2 ok, 4 rejected, 0 undecided\n");
}

TEST_F(OllamaStore, IsFoundWhereTheEnvironmentSays) {
  const CommandOptions by_variable{.environment = {"OLLAMA_MODELS=" + store}};
  EXPECT_THAT(RunCommand({"check", "--ollama"}, by_variable).out, HasSubstr(Name("good")));
  fs::create_directories(folder.Path("home/.ollama"));
  fs::rename(store, folder.Path("home/.ollama/models"));
  const CommandOptions by_home{.environment = {"OLLAMA_MODELS", "HOME=" + folder.Path("home")}};
  EXPECT_THAT(RunCommand({"check", "--ollama"}, by_home).out, HasSubstr(Name("good")));
}

TEST_F(OllamaStore, ABlobThatTwoNamesShareIsToldUnderEach) {
  const File model = NewModel(0);  // the model of "good"
  maker.PutModel("registry.ollama.ai/library/good/latest", model);
  maker.PutModel("hf.co/owner/again/Q4", model);
  const CommandResult result = RunCommand({"check", "--ollama", store, "--format", "json"});
  EXPECT_THAT(RulesOf(result, "registry.ollama.ai/library/good:latest"), ElementsAre("accept"));
  EXPECT_THAT(RulesOf(result, "hf.co/owner/again:Q4"), ElementsAre("accept"));
}

TEST_F(OllamaStore, SaysWhereTheOtherLayersAreWrong) {
  const File model = NewModel(20);
  const std::string digest = maker.PutBlob(model);
  const std::string words = maker.PutBlob("a template");
  maker.PutManifest(Path("other"), {OllamaMaker::Layer("model", digest, model.size()),
                                    OllamaMaker::Layer("template", words, 10)});
  WriteFileAt(maker.PathOfBlob(words), "b template");
  const CommandResult result = RunCommand({"check", "--ollama", store, "--verify-digest"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("reject  " + Name("other")),
                                HasSubstr("the SHA-256 of the template is ")));
  fs::remove(maker.PathOfBlob(words));
  EXPECT_THAT(RunCommand({"check", "--ollama", store}).out,
              HasSubstr("the template is missing: the folder blobs has no sha256-" + words));
}

// OfGptoss is a model as Ollama's converter wrote it in August 2025: its MXFP4 is type 4.
Model OfGptoss(std::string_view architecture = "gptoss") {
  Model model;
  model.Set("general.architecture", architecture);
  for (const char* name : {"blk.0.ffn_up_exps.weight", "blk.0.ffn_down_exps.weight"}) {
    model.Add(name, TensorType::kMXFP4, {64, 8}).data.assign(std::size_t{16} * 17, 0x11);
  }
  model.Add("output_norm.weight", TensorType::kF32, {8});
  model.LayOut();
  for (Model::Tensor& tensor : model.tensors) {
    if (tensor.type_id == IdOf(TensorType::kMXFP4)) tensor.type_id = 4;
  }
  return model;
}

TEST_F(OllamaStore, OllamasOwnTypeIsAcceptedThereAndNowhereElse) {
  const TempFolder other;
  const OllamaMaker maker_of_one(other.path());
  const File model = Write(OfGptoss());
  const std::string digest = maker_of_one.PutModel(Path("gpt-oss"), model);
  const CommandResult in_store = RunCommand({"check", "--ollama", other.path(), "--verbose"});
  EXPECT_EQ(in_store.exit_code, 0) << in_store.out;
  EXPECT_THAT(in_store.out, AllOf(HasSubstr("note[tensor-type]"),
                                  HasSubstr("MXFP4 of Ollama (August to October 2025)")));
  const CommandResult by_path = RunCommand({"check", maker_of_one.PathOfBlob(digest)});
  EXPECT_EQ(by_path.exit_code, 1) << by_path.out;
  EXPECT_THAT(by_path.out, HasSubstr("use Ollama, pull the model again"));
}

TEST_F(OllamaStore, OllamasOwnTypeHasASizeToo) {
  const auto code = [](const Model& model) {
    const TempFolder other;
    OllamaMaker(other.path()).PutModel(Path("gpt-oss"), Write(model));
    return RunCommand({"check", "--ollama", other.path()}).exit_code;
  };
  EXPECT_EQ(code(OfGptoss()), 0);
  EXPECT_EQ(code(OfGptoss("llama")), 1) << "no other architecture has it";
  Model misplaced = OfGptoss();
  misplaced.tensors[1].offset += 32;
  EXPECT_EQ(code(misplaced), 1);
  Model cut = OfGptoss();
  cut.tensors.pop_back();
  cut.tensors.back().data.resize(100);
  EXPECT_EQ(code(cut), 1);
  Model uneven = OfGptoss();
  uneven.tensors[0].dims = {63, 8};
  EXPECT_EQ(code(uneven), 1);
  Model removed = OfGptoss();
  removed.tensors[0].type_id = 5;
  EXPECT_EQ(code(removed), 1);
}

TEST_F(OllamaStore, AModelOfAnotherFormatIsUndecided) {
  const TempFolder other;
  const OllamaMaker safetensors(other.path());
  const std::string digest = safetensors.PutBlob("tensors");
  safetensors.PutManifest(Path("good"), {OllamaMaker::Layer("tensor", digest, 7)});
  const CommandResult result = RunCommand({"check", "--ollama", other.path()});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.out,
              HasSubstr("undecided  " + Name("good") + ": not a GGUF model: nothing was checked"));
  safetensors.PutModel(Path("good"), NewModel(1));
  EXPECT_EQ(RunCommand({"check", "--ollama", other.path()}).exit_code, 0);
}

TEST_F(OllamaStore, NothingInItLeadsOut) {
  const std::string secret = folder.Write("secret.gguf", NewModel(30));
  const std::string digest = Sha256OfBytes(NewModel(30));
  maker.PutManifest(Path("link"), {OllamaMaker::Layer("model", digest, 1)});
  fs::create_symlink(secret, maker.PathOfBlob(digest));
  WriteFileAt(store + "/manifests/" + Path("up"),
              R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.model",)"
              R"("digest":"sha256:../../secret.gguf","size":1}]})");
  fs::create_symlink(secret, store + "/manifests/" + Path("good") + "-link");
  const CommandResult result = RunCommand({"check", "--ollama", store});
  EXPECT_THAT(result.out,
              HasSubstr("undecided  " + Name("link") + ": the model: links are not followed"));
  EXPECT_THAT(result.out, HasSubstr("reject  " + Name("up") + "\n  0x0  error[store-manifest]"));
  EXPECT_THAT(result.out,
              HasSubstr("undecided  " + Name("good") + "-link: its manifest is a link"));
}

// Unreadable parts must not count as missing.
TEST_F(OllamaStore, WhatCannotBeReadIsUndecided) {
  fs::permissions(store + "/blobs", fs::perms::none);
  const CommandResult result =
      RunCommand({"check", "--ollama", store}, {.without_privileges = true});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.out, HasSubstr("blobs: cannot search the folder: Permission denied"));
  EXPECT_EQ(RunCommand({"check", store}, {.without_privileges = true}).exit_code, 2);
  fs::permissions(store + "/blobs", fs::perms::all);
}

TEST_F(OllamaStore, ABrokenManifestIsARejectedModel) {
  WriteFileAt(store + "/manifests/" + Path("bad"), std::string(10'000, '['));
  const CommandResult result = RunCommand({"check", "--ollama", store});
  EXPECT_THAT(result.out,
              HasSubstr("reject  " + Name("bad") + "\n  0x0  error[store-manifest] the manifest"));
}

TEST(NoStore, IsUndecided) {
  const TempFolder folder;
  const CommandResult result = RunCommand({"check", "--ollama", folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("it is not a store of Ollama"));
  EXPECT_THAT(RunCommand({"check", "--huggingface", folder.path()}).out,
              HasSubstr("it is not a cache of Hugging Face"));
  EXPECT_EQ(RunCommand({"check", "--huggingface", folder.path()}).exit_code, 2);
  const CommandResult file =
      RunCommand({"check", "--ollama", folder.Write("m.gguf", AsBytes("GGUF"))});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.out, HasSubstr("m.gguf: --ollama takes a folder; put files before it"));
  const CommandResult gone = RunCommand({"check", "--ollama", folder.Path("gone")});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_THAT(gone.out, HasSubstr("No such file"));
  const CommandOptions nowhere{.environment = {"HF_HUB_CACHE=" + folder.Path("gone")}};
  EXPECT_EQ(RunCommand({"check", "--huggingface"}, nowhere).exit_code, 2);
  const CommandResult nothing = RunCommand({"check"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.error, HasSubstr("PATH is required"));
}

TEST(NoStore, AnEmptyOneIsNotAccepted) {
  const TempFolder folder;
  fs::create_directories(folder.Path("blobs"));
  fs::create_directories(folder.Path("manifests"));
  EXPECT_EQ(RunCommand({"check", "--ollama", folder.path()}).exit_code, 2);
}

class HuggingFaceCache : public ::testing::Test {
 protected:
  HuggingFaceCache() {
    std::uint32_t number = 0;
    for (const std::string kind : kKinds) {
      const File model = NewModel(number++);
      const std::string digest = maker.Put("abc", kind + ".gguf", model);
      if (kind != "good") Damage(kind, maker.PathOfBlob(digest), model);
    }
    WriteFileAt(maker.folder() + "/refs/main", "abc");
  }
  static std::string Name(const std::string& kind) { return "owner/name@abc/" + kind + ".gguf"; }

  const TempFolder folder;
  const std::string cache = folder.Path("hub");
  const HuggingFaceMaker maker{cache, "models--owner--name"};
};

TEST_F(HuggingFaceCache, EachModelIsNamedAndRight) {
  const CommandResult result =
      RunCommand({"check", "--huggingface", cache, "--data", "full", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(RulesOf(result, Name("good")), ElementsAre("accept"));
  EXPECT_THAT(RulesOf(result, Name("zeroed")), ElementsAre("magic", "reject", "store-blob-digest"));
  EXPECT_THAT(RulesOf(result, Name("cut")),
              ElementsAre("reject", "store-blob-digest", "tensor-data-bounds"));
  EXPECT_THAT(RulesOf(result, Name("swapped")), ElementsAre("reject", "store-blob-digest"));
  EXPECT_THAT(RulesOf(result, Name("missing")), ElementsAre("reject", "store-blob-missing"));
  EXPECT_EQ(Json::parse(result.out).at("files").size(), kKinds.size());
}

TEST_F(HuggingFaceCache, IsNoticedAndFoundByTheEnvironment) {
  const CommandResult noticed = RunCommand({"check", folder.path()});
  EXPECT_THAT(noticed.out, HasSubstr("ok      " + Name("good")));
  EXPECT_EQ(noticed.error,
            "1 file skipped; --verbose lists it\n5 files: 2 ok, 3 rejected, 0 undecided\n")
      << "digests are not looked at, and refs/main is no model";
  EXPECT_EQ(RunCommand({"check", "--huggingface", maker.folder()}).error, noticed.error);
  for (const std::string& variable : {"HF_HUB_CACHE=" + cache, "HF_HOME=" + folder.path()}) {
    const CommandOptions options{.environment = {variable}};
    EXPECT_THAT(RunCommand({"check", "--huggingface"}, options).out, HasSubstr(Name("good")));
  }
}

TEST_F(HuggingFaceCache, SharesBlobsAndGoesIntoFolders) {
  maker.Put("def", "inner/deep/good.gguf", NewModel(0));
  maker.Put("def", "README.md", AsBytes("words"));
  WriteFileAt(maker.PathOfBlob("0123.incomplete"), "GGUF");
  const CommandResult result = RunCommand({"check", "--huggingface", cache});
  EXPECT_THAT(result.out, HasSubstr("ok      owner/name@def/inner/deep/good.gguf"));
  EXPECT_THAT(result.error, AllOf(HasSubstr("0123.incomplete: an incomplete download"),
                                  HasSubstr("3 files skipped")));
}

TEST_F(HuggingFaceCache, FollowsNoLinkOut) {
  const std::string secret = folder.Write("secret", NewModel(30));
  maker.PutLink("abc", "absolute.gguf", secret);
  maker.PutLink("abc", "relative.gguf", "../../../../secret");
  maker.PutLink("abc", "crooked.gguf", "../../blobs/../../../secret");
  maker.PutLink("abc", "another_name", secret);
  const CommandResult result = RunCommand({"check", "--huggingface", cache});
  for (const std::string& name : {Name("absolute"), Name("relative"), Name("crooked"),
                                  std::string("owner/name@abc/another_name")}) {
    EXPECT_THAT(result.out,
                HasSubstr("undecided  " + name + ": it is a link to a place outside the store"));
  }
}

TEST_F(HuggingFaceCache, JudgesShardsTogether) {
  for (const std::uint16_t number : {std::uint16_t{1}, std::uint16_t{3}}) {
    Model model;
    if (number == 1) model.Set("general.architecture", "test");
    model.Set("split.no", static_cast<std::uint16_t>(number - 1));
    model.Set("split.count", std::uint16_t{3}).Set("split.tensors.count", std::int32_t{3});
    model.Add("w." + std::to_string(number), TensorType::kF32, {8});
    maker.Put("abc", "m-0000" + std::to_string(number) + "-of-00003.gguf", Write(model));
  }
  EXPECT_THAT(RunCommand({"check", "--huggingface", cache}).out,
              HasSubstr("shard \"m-00002-of-00003.gguf\" is missing"));
}

}  // namespace
}  // namespace ggufgate::testing
