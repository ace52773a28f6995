// ggufgate check: a search for a store and a search of its folder find the same files.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;
using File = std::vector<std::uint8_t>;

// NewModel makes a different model for each number.
File NewModel(std::uint32_t number) {
  Model model = Model::Minimal();
  model.Set("test.number", number);
  model.Add("w", TensorType::kF32, {8});
  return Write(model);
}

// VerdictsIn returns a line "PATH VERDICT" for each file of a report in lines, in their order.
std::string VerdictsIn(const std::string& jsonl) {
  std::string verdicts;
  for (const std::string& line : Lines(jsonl)) {
    const Json file = Json::parse(line);
    if (!file.contains("path")) continue;
    verdicts +=
        file.at("path").get<std::string>() + " " + file.at("verdict").get<std::string>() + "\n";
  }
  return verdicts;
}

// PutEverywhere puts models in every place that a store may have, like huggingface_hub and
// attackers.
void PutEverywhere(const std::string& cache, const HuggingFaceMaker& models, const File& sound,
                   const File& broken) {
  const HuggingFaceMaker data(cache, "datasets--owner--data");
  const HuggingFaceMaker space(cache, "spaces--owner--space");
  models.Put("abc", "in/a/folder.gguf", sound);
  data.Put("abc", "data.gguf", broken);
  space.Put("abc", "no-extension", broken);
  space.Put("abc", "README.md", AsBytes("words"));
  for (const std::string& place :
       {cache + "/loose.gguf", cache + "/sub/loose", cache + "/spaces--x/loose.gguf",
        models.folder() + "/beside.gguf", models.folder() + "/refs/loose",
        models.folder() + "/snapshots/loose.gguf", models.folder() + "/blobs/lone",
        models.folder() + "/blobs/inner/lone", cache + "/models--no--snapshots/blobs/lone"}) {
    WriteFileAt(place, AsText(broken));
  }
  WriteFileAt(models.folder() + "/blobs/zeroed.gguf", std::string(64, '\0'));
  WriteFileAt(cache + "/version.txt", "1");
}

TEST(StoreSearch, OfACacheFindsWhatASearchOfItsFolderDoes) {
  const TempFolder folder;
  const std::string cache = folder.Path("hub");
  const HuggingFaceMaker maker(cache, "models--owner--name");
  maker.Put("abc", "good.gguf", NewModel(1));
  File broken = NewModel(40);
  broken.resize(broken.size() - 16);
  PutEverywhere(cache, maker, NewModel(41), broken);
  for (const std::string& where : {cache, maker.folder(), folder.path()}) {
    const std::vector<std::string> rest = {"--verbose", "--verify-digest", "-f", "jsonl"};
    std::vector<std::string> as_store = {"check", "--huggingface=" + where};
    std::vector<std::string> as_folder = {"check", where};
    as_store.insert(as_store.end(), rest.begin(), rest.end());
    as_folder.insert(as_folder.end(), rest.begin(), rest.end());
    const CommandResult store = RunCommand(as_store);
    const CommandResult found = RunCommand(as_folder);
    EXPECT_EQ(store.exit_code, 1);
    EXPECT_EQ(VerdictsIn(store.out), VerdictsIn(found.out)) << where;
    EXPECT_EQ(store.error, found.error) << where;
  }
  const std::string verdicts =
      VerdictsIn(RunCommand({"check", "--huggingface=" + cache, "-f", "jsonl"}).out);
  for (const std::string rejected :
       {"datasets/owner/data@abc/data.gguf", "spaces/owner/space@abc/no-extension",
        "owner/name/loose.gguf"}) {
    EXPECT_THAT(verdicts, HasSubstr(rejected + " reject\n"));
  }
  EXPECT_THAT(verdicts, HasSubstr("owner/name@abc/in/a/folder.gguf accept\n"));
  EXPECT_EQ(std::ranges::count(verdicts, '\n'), 1 + 3 + 10) << verdicts;
}

TEST(StoreSearch, OfOllamasFindsWhatASearchOfItsFolderDoes) {
  const TempFolder folder;
  const std::string store = folder.Path("models");
  OllamaMaker(store).PutModel("registry.ollama.ai/library/good/1b", NewModel(1));
  File broken = NewModel(40);
  broken.resize(broken.size() - 16);
  for (const std::string place :
       {"/loose.gguf", "/sub/loose", "/blobs/lone", "/blobs/inner/lone"}) {
    WriteFileAt(store + place, AsText(broken));
  }
  const CommandResult asked = RunCommand({"check", "--ollama=" + store, "-v", "-f", "jsonl"});
  const CommandResult found = RunCommand({"check", store, "-v", "-f", "jsonl"});
  EXPECT_EQ(VerdictsIn(asked.out), VerdictsIn(found.out));
  EXPECT_EQ(asked.error, found.error);
  for (const std::string rejected : {"loose.gguf", "sub/loose", "blobs/lone", "blobs/inner/lone"}) {
    EXPECT_THAT(VerdictsIn(asked.out), HasSubstr(store + "/" + rejected + " reject\n"));
  }
}

// If the user calls it a store, it is undecided, too. A folder that is only searched need not be a
// store.
TEST(StoreSearch, OfOllamasWithoutManifestsFindsWhatASearchOfItsFolderDoes) {
  const TempFolder folder;
  const std::string store = folder.Path("models");
  OllamaMaker(store).PutBlob(NewModel(1));
  WriteFileAt(store + "/blobs/sha256-" + std::string(64, 'a') + "-partial", AsText(NewModel(2)));
  WriteFileAt(store + "/loose.gguf", AsText(NewModel(3)));
  WriteFileAt(store + "/blobs/lone", AsText(NewModel(4)));
  folder.Link("models/blobs/link.gguf", "lone");
  const CommandResult asked = RunCommand({"check", "--ollama=" + store, "-v", "-f", "jsonl"});
  const CommandResult found = RunCommand({"check", store, "-v", "-f", "jsonl"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_EQ(VerdictsIn(asked.out), store + " undecided\n" + VerdictsIn(found.out));
  EXPECT_THAT(asked.out, HasSubstr("it is not a store of Ollama"));
  EXPECT_EQ(std::ranges::count(VerdictsIn(found.out), '\n'), 5);
  EXPECT_EQ(asked.error, found.error);
}

// A link instead of a store's folder leads out of the store. It must not be ignored silently.
TEST(StoreSearch, AFolderOfAStoreThatIsALinkIsUndecided) {
  const TempFolder folder;
  const std::string sound = folder.Write("sound.gguf", NewModel(1));
  const std::string other = folder.MakeFolder("other");
  const std::string no_snapshots = folder.MakeFolder("hub/models--owner--name");
  folder.Link("hub/models--owner--name/snapshots", other);
  const std::string no_blobs = folder.Path("hub/models--owner--other");
  WriteFileAt(no_blobs + "/snapshots/abc/a.gguf", AsText(NewModel(2)));
  folder.Link("hub/models--owner--other/blobs", other);
  const std::string no_manifests = folder.Path("ollama");
  OllamaMaker(no_manifests).PutBlob(NewModel(3));
  folder.Link("ollama/manifests", other);
  const std::string links = folder.Path("links");
  OllamaMaker(links).PutManifest("host/library/a/1b", {});
  std::filesystem::remove_all(links + "/blobs");
  WriteFileAt(other + "/sha256-" + std::string(64, 'a'), "x");
  folder.Link("links/blobs", other);
  for (const auto& [store, link, option] :
       {std::tuple(no_snapshots, "/snapshots", "--huggingface="),
        std::tuple(no_blobs, "/blobs", "--huggingface="),
        std::tuple(no_manifests, "/manifests", "--ollama="),
        std::tuple(links, "/blobs", "--ollama=")}) {
    const CommandResult asked = RunCommand({"check", option + store, sound, "-f", "jsonl"});
    const CommandResult found = RunCommand({"check", sound, store, "-f", "jsonl"});
    for (const CommandResult& result : {asked, found}) {
      EXPECT_EQ(result.exit_code, 2) << store;
      EXPECT_THAT(VerdictsIn(result.out), HasSubstr(store + link + " undecided\n"));
      EXPECT_THAT(result.out, HasSubstr("it is a link to a place outside the store"));
    }
    EXPECT_EQ(asked.error, found.error);
  }
}

// The download is a model that was not checked.
TEST(StoreSearch, ARepositoryOfModelsWithoutGgufIsUndecided) {
  const TempFolder folder;
  const std::string cache = folder.Path("hub");
  HuggingFaceMaker(cache, "models--owner--sound").Put("abc", "good.gguf", NewModel(1));
  HuggingFaceMaker(cache, "datasets--owner--data").Put("abc", "data.parquet", AsBytes("rows"));
  HuggingFaceMaker(cache, "spaces--owner--space").Put("abc", "app.py", AsBytes("code"));
  folder.MakeFolder("hub/models--owner--nothing/snapshots/abc");
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--huggingface=" + cache}, {cache}}) {
    std::vector<std::string> check = {"check", "-f", "jsonl"};
    check.insert(check.end(), how.begin(), how.end());
    EXPECT_EQ(VerdictsIn(RunCommand(check).out), "owner/sound@abc/good.gguf accept\n");
    EXPECT_EQ(RunCommand(check).exit_code, 0);
    const HuggingFaceMaker other(cache, "models--owner--other");
    other.Put("abc", "model.safetensors", AsBytes("tensors"));
    const CommandResult result = RunCommand(check);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(VerdictsIn(result.out), HasSubstr("owner/other undecided\n"));
    EXPECT_THAT(result.out, HasSubstr("not a GGUF model: nothing was checked"));
    other.Put("def", "model.gguf", NewModel(2));
    EXPECT_EQ(RunCommand(check).exit_code, 0);
    std::filesystem::remove_all(other.folder());
  }
}

TEST(StoreSearch, PassesOverWhatIsExcluded) {
  const TempFolder folder;
  const std::string cache = folder.Path("hub");
  HuggingFaceMaker(cache, "models--owner--name").Put("abc", "good.gguf", NewModel(1));
  const CommandResult result = RunCommand(
      {"check", "--huggingface=" + cache, "--exclude", "models--owner--name", "--verbose"});
  EXPECT_EQ(result.exit_code, 2) << "nothing is left";
  EXPECT_THAT(result.error, HasSubstr("models--owner--name: it is excluded"));
}

}  // namespace
}  // namespace ggufgate::testing
