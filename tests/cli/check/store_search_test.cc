// ggufgate check: a search for a store and a search of its folder find the same files.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/command_text.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;
using File = std::vector<std::uint8_t>;

// NewModel is one of its own for each number.
File NewModel(std::uint32_t number) {
  Model model = Model::Minimal();
  model.Set("test.number", number);
  model.Add("w", TensorType::kF32, {8});
  return Write(model);
}

// VerdictsIn is a line "PATH VERDICT" for each file of a report by lines, in their order.
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

// PutEverywhere puts models wherever a store may have one, as huggingface_hub and attackers do.
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
