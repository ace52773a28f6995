// ggufgate generate: a valid file or none, and helpful messages.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/contracts/contract.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Generate : public ::testing::Test {
 protected:
  [[nodiscard]] CommandResult Make(std::vector<std::string> options) const {
    options.insert(options.begin(), "generate");
    options.insert(options.end(), {"--output", path_});
    return RunCommand(options);
  }
  // MakesNothing expects that the command fails with this message, and leaves no file.
  void MakesNothing(const std::vector<std::string>& options, const std::string& words) const {
    const CommandResult result = Make(options);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, StartsWith("ggufgate: "));
    EXPECT_THAT(result.error, HasSubstr(words));
    EXPECT_TRUE(IsHarmless(result.error));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }

  TempFolder folder_;
  std::string path_ = folder_.Path("model.gguf");
};

TEST_F(Generate, WritesALineForEachTemplate) {
  const CommandResult result = Make({"--templates", "3", "--seed", "7"});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  const std::string three = Content(path_);
  EXPECT_THAT(three, StartsWith("{\"seed\":7,\"template\":\""));
  EXPECT_EQ(std::ranges::count(three, '\n'), 3);
  EXPECT_EQ(three.find("\"rule\""), std::string::npos);
  EXPECT_EQ(Make({"--templates", "1", "--seed", "9"}).exit_code, 0);
  EXPECT_TRUE(three.ends_with(Content(path_))) << "the seeds are not in a row";
  EXPECT_EQ(Make({"--templates", "1", "--broken"}).exit_code, 0);
  EXPECT_THAT(Content(path_), HasSubstr("\"rule\":\"template-"));
}

TEST_F(Generate, WritesToStandardOutputByItsName) {
  const CommandResult one = RunCommand({"generate", "--templates", "1", "--output", "-"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, StartsWith("{\"seed\":1,\"template\":"));
  EXPECT_THAT(one.error, IsEmpty());
}

TEST_F(Generate, MakesAModelOrTemplates) {
  MakesNothing({"--templates", "1", "--architecture", "llama"}, "not both");
  MakesNothing({"--seed", "1", "--architecture", "llama"}, "needs --templates COUNT");
  MakesNothing({"--broken"}, "needs --templates COUNT");
  EXPECT_EQ(Make({"--templates", "0"}).exit_code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Generate, WritesAModelThatTheGateAccepts) {
  const std::vector<std::vector<std::string>> commands = {
      {"--architecture", "llama"},
      {"--architecture", "llama", "--experts", "--optional"},
      {"--architecture", "qwen3moe"},  // has only forms with experts
      {"--architecture", "bert", "--vocabulary", "bpe"},
      {"--architecture", "qwen3", "--type", "q8_0"},
  };
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = Make(command);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out + result.error, IsEmpty());
    const CommandResult check =
        RunCommand({"check", "--data", "full", "--fail-on", "warning", path_});
    EXPECT_EQ(check.exit_code, 0) << check.out;
    EXPECT_THAT(check.out, HasSubstr(command.at(1) + " "));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
  }
}

TEST_F(Generate, WritesTheSameAgainOverWhatIsThere) {
  ASSERT_EQ(Make({"--architecture", "gpt2"}).exit_code, 0);
  const std::string first = Content(path_);
  ASSERT_EQ(Make({"--architecture", "gpt2", "--optional"}).exit_code, 0);
  EXPECT_NE(Content(path_), first);
  ASSERT_EQ(Make({"--architecture", "gpt2"}).exit_code, 0);
  EXPECT_EQ(Content(path_), first);
}

TEST_F(Generate, WritesToAPipe) {
  const CommandResult result =
      RunCommand({"generate", "--architecture", "gpt2", "--output", "/dev/stdout"});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  ASSERT_EQ(Make({"--architecture", "gpt2"}).exit_code, 0);
  EXPECT_EQ(result.out, Content(path_));
}

TEST_F(Generate, HelpsWithNames) {
  MakesNothing({"--architecture", "lama"}, R"(no architecture "lama"; did you mean llama?)");
  MakesNothing({"--architecture", "\x1b[31m"}, "generate --list");
  MakesNothing({"--architecture", "llama", "--vocabulary", "bp"}, "did you mean bpe?");
  MakesNothing({"--architecture", "llama", "--vocabulary", "zzzzz"},
               "There are spm bpe wpm ugm rwkv plamo2.");
  MakesNothing({"--architecture", "llama", "--type", "Q8"}, "did you mean Q8_0?");
  MakesNothing({"--architecture", "llama", "--type", "Q8_1"}, "There are F32 F16 ");
}

TEST_F(Generate, SaysWhatThereIsNot) {
  MakesNothing({"--architecture", "rwkv7", "--experts"}, "no rwkv7 with experts ran in tests");
  MakesNothing({"--architecture", "rwkv7", "--optional"}, "no rwkv7 with all optional tensors ran");
  MakesNothing({"--architecture", "rwkv7", "--experts", "--optional"},
               "no rwkv7 with experts and with all optional tensors ran in tests with llama.cpp v");
  MakesNothing({"--architecture", "llama", "--type", "Q4_K"},
               "no matrix of llama can be Q4_K: row lengths must be a multiple of 256");
}

TEST_F(Generate, WantsANameAndAPlace) {
  MakesNothing({}, "needs --architecture NAME");
  const CommandResult nowhere = RunCommand({"generate", "--architecture", "llama"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.error, HasSubstr("needs --output FILE"));
  const CommandResult folder =
      RunCommand({"generate", "--architecture", "llama", "--output", folder_.path()});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.error, HasSubstr("it is a folder"));
}

TEST_F(Generate, ListsEveryArchitecture) {
  const CommandResult result = RunCommand({"generate", "--list"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(IsHarmless(result.out));
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), AllContracts().size() + 1);
  const std::size_t column = lines.front().find("vocabulary");
  for (std::size_t i = 0; i < AllContracts().size(); ++i) {
    const Contract& contract = AllContracts()[i];
    EXPECT_THAT(lines.at(i + 1), StartsWith("  " + std::string(contract.architecture) + " "));
    EXPECT_EQ(lines.at(i + 1).substr(column, contract.vocabulary.size()), contract.vocabulary);
  }
  MakesNothing({"--list"}, "--list writes no file");
  EXPECT_EQ(RunCommand({"generate", "--list", "--experts"}).exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
