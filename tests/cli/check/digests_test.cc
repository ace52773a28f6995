// ggufgate check: files whose name is their SHA-256, given by their paths.

#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/stores/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

File NewModel(std::uint32_t number) {
  Model model = Model::Minimal();
  model.Set("test.number", number);
  model.Add("w", TensorType::kF32, {8});
  return Write(model);
}

class CheckDigests : public ::testing::Test {
 protected:
  static int Check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    return RunCommand(arguments).exit_code;
  }

  // A store of each kind, the blobs in them, and the path that `hf download` prints.
  const File sound = NewModel(1);
  const TempFolder folder;
  const OllamaMaker ollama{folder.Path("ollama")};
  const HuggingFaceMaker hub{folder.Path("hub"), "models--owner--name"};
  const std::string of_ollama = ollama.PathOfBlob(ollama.PutModel("h/n/m/t", sound));
  const std::string of_hub = hub.PathOfBlob(hub.Put("abc", "m.gguf", sound));
  const std::string snapshot = hub.folder() + "/snapshots/abc/m.gguf";
};

// A weight is different: only the digest shows it.
TEST_F(CheckDigests, FlippedBitsAreFoundByWhateverPath) {
  for (const std::string& path : {of_ollama, of_hub, snapshot}) {
    EXPECT_EQ(Check({"--verify-digest", path}), 0) << path;
    EXPECT_EQ(Check({"--data", "full", path}), 0) << path;
  }
  File flipped = sound;
  flipped.back() ^= 1;
  WriteFileAt(of_ollama, AsText(flipped));
  WriteFileAt(of_hub, AsText(flipped));
  for (const std::string& path : {of_ollama, of_hub, snapshot}) {
    EXPECT_EQ(Check({path}), 0) << "its bytes are sound, and nobody asked";
    EXPECT_EQ(Check({"--verify-digest", path}), 1) << path;
    const CommandResult result = RunCommand({"check", "--data", "full", path});
    EXPECT_EQ(result.exit_code, 1) << path;
    EXPECT_THAT(result.out, HasSubstr("error[store-blob-digest] the SHA-256 of the file is "));
  }
  const std::string blobs = folder.Path("ollama/blobs");
  EXPECT_EQ(Check({"--verify-digest", blobs}), 1) << "in a folder that is not the whole store";
  EXPECT_EQ(Check({"--verify-digest", folder.Link("my.gguf", snapshot)}), 1);
}

TEST_F(CheckDigests, RunHoldsTheFileAgainstItsNameToo) {
  const std::vector<std::string> rest = {"--verify-digest", snapshot, "--", "true", "{}"};
  std::vector<std::string> run = {"run"};
  run.insert(run.end(), rest.begin(), rest.end());
  EXPECT_EQ(RunCommand(run).exit_code, 0);
  File flipped = sound;
  flipped.back() ^= 1;
  WriteFileAt(of_hub, AsText(flipped));
  EXPECT_EQ(RunCommand(run).exit_code, 1);
}

TEST_F(CheckDigests, NothingToCompareIsSaidAndUndecided) {
  const std::string plain = folder.Write("plain.gguf", sound);
  const CommandResult result = RunCommand({"check", "--verify-digest", plain});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, StartsWith("ok      "));
  EXPECT_THAT(result.error, HasSubstr("--verify-digest found nothing to compare"));
  EXPECT_EQ(Check({"--data", "full", plain}), 0) << "it promises nothing of names";
  const CommandResult one = RunCommand({"check", "--verify-digest", plain, of_ollama});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.error, Not(HasSubstr("nothing to compare")));
  File bad = sound;
  bad.front() = 0;
  const CommandResult rejected =
      RunCommand({"check", "--verify-digest", folder.Write("bad.gguf", bad)});
  EXPECT_EQ(rejected.exit_code, 1);
  EXPECT_THAT(rejected.error, HasSubstr("nothing to compare"));
}

// A file that is not in LFS has git's SHA-1 as its name, which is computed over the file with a
// header.
TEST_F(CheckDigests, NamesOfGitAreNotCompared) {
  const HuggingFaceMaker small(folder.Path("small"), "models--owner--name");
  WriteFileAt(small.PathOfBlob(std::string(40, 'a')), AsText(sound));
  small.PutLink("abc", "m.gguf", "../../blobs/" + std::string(40, 'a'));
  const std::string path = small.folder() + "/snapshots/abc/m.gguf";
  for (const std::string& what : {path, "--huggingface=" + folder.Path("small")}) {
    EXPECT_EQ(Check({"--data", "full", what}), 0) << what;
    EXPECT_EQ(Check({"--verify-digest", what, of_ollama}), 0) << what;
    EXPECT_EQ(Check({"--verify-digest", what}), 2) << what;
  }
}

}  // namespace
}  // namespace ggufgate::testing
