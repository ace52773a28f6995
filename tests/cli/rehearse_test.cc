// ggufgate rehearse: unsupported inputs and wrong usage. tests/rehearse and tests/reference run
// loaders.

#include <algorithm>

#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

const std::string kSample = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/valid/sample-llama.gguf";

CommandResult Rehearse(const std::string& model, const std::string& loader = GGUFGATE_COMMAND) {
  return RunCommand({"rehearse", model, "--loader", loader});
}

TEST(RehearseCommandTest, WhatIsNotSupportedIsUndecided) {
  const TempFolder folder;
  for (const std::string& model : {std::string("https://localhost/model.gguf"),
                                   std::string("hf://owner/repository/model.gguf"), folder.path(),
                                   folder.Path("absent"), folder.MakePipe("pipe")}) {
    const CommandResult result = Rehearse(model);
    EXPECT_EQ(result.exit_code, 2) << model;
    EXPECT_THAT(result.out, HasSubstr("not-rehearsed")) << model;
  }
}

std::size_t LinesOf(const CommandResult& result) {
  return static_cast<std::size_t>(std::ranges::count(result.out, '\n')) - 2;  // after the loader's
}

TEST(RehearseCommandTest, EachFileOfAFolderIsAModel) {
  const TempFolder folder;
  folder.WriteText("notes.txt", "no model");
  folder.WriteText("broken.gguf", "<html>");
  folder.MakeFolder("blobs");
  folder.MakeFolder("deep");
  folder.WriteText("blobs/sha256-0", "GGUF");
  folder.Link("deep/model.gguf", "../blobs/sha256-0");
  for (const char* name : {"set-00001-of-00002.gguf", "set-00002-of-00002.gguf"}) {
    folder.WriteText(std::string("deep/") + name, "GGUF");
  }
  const CommandResult result = Rehearse(folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(LinesOf(result), 3U) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("/broken.gguf"), HasSubstr("/deep/model.gguf"),
                                HasSubstr("/set-00001-of-00002.gguf")));
}

TEST(RehearseCommandTest, AFolderWithoutModelsIsUndecided) {
  const TempFolder folder;
  const CommandResult result = Rehearse(folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("there is no GGUF file in this folder"));
}

TEST(RehearseCommandTest, StandardInputIsJudgedOnce) {
  const std::vector<std::string> arguments = {"rehearse", "--loader", GGUFGATE_COMMAND, "-"};
  const CommandResult bad = RunCommand(arguments, {.input = "<html>"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.out, HasSubstr("the rules reject it"));
  EXPECT_EQ(RunCommand({"rehearse", "--loader", GGUFGATE_COMMAND, "-", "-"}).exit_code, 2);
}

TEST(RehearseCommandTest, ALoaderIsALibrary) {
  EXPECT_EQ(RunCommand({"rehearse", kSample}).exit_code, 2);
  const TempFolder folder;
  for (const std::string& loader :
       {std::string("/no/such/library.so"), folder.path(), folder.WriteText("text.so", "text")}) {
    EXPECT_EQ(Rehearse(kSample, loader).exit_code, 2) << loader;
  }
}

TEST(RehearseCommandTest, AServerHasNoDataForARehearsal) {
  const CommandResult result = RunCommand({"rehearse", "hf://owner/repository/model.gguf", "--data",
                                           "real", "--loader", GGUFGATE_COMMAND});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("--data real needs the weights"));
}

TEST(RehearseCommandTest, AFileThatIsRejectedIsNotRehearsed) {
  const TempFolder folder;
  const CommandResult result = Rehearse(folder.WriteText("model.gguf", "<html>"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("the rules reject it"));
  EXPECT_THAT(result.error, HasSubstr("error[file-too-short]"));
}

TEST(RehearseCommandTest, AnAdapterIsAFileForALibrary) {
  const TempFolder folder;
  const auto run = [&](const std::string& adapter, const std::vector<std::string>& by) {
    std::vector<std::string> words = {"rehearse", kSample, "--lora", adapter};
    words.insert(words.end(), by.begin(), by.end());
    return RunCommand(words);
  };
  const CommandResult searched = run(folder.path(), {"--loader", GGUFGATE_COMMAND});
  EXPECT_EQ(searched.exit_code, 2);
  EXPECT_THAT(searched.error, HasSubstr("--lora takes a file, not a folder"));
  const CommandResult program = run(kSample, {"--", "cat", "{}"});
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_THAT(program.error, HasSubstr("--lora is for libraries"));
  const CommandResult absent = run(folder.Path("absent"), {"--loader", GGUFGATE_COMMAND});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.out, HasSubstr("/absent: cannot open"));
  const CommandResult broken = run(folder.WriteText("broken.gguf", "<html>"),
                                   {"--loader", GGUFGATE_COMMAND, "--format", "json"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out, HasSubstr("the rules reject an adapter"));
  EXPECT_THAT(broken.error, HasSubstr("error[file-too-short]"));
}

// One rejected file decides, even if others are undecided.
TEST(RehearseCommandTest, TheWorstOfSeveralDecides) {
  const TempFolder folder;
  const std::string bad = folder.WriteText("bad.gguf", "<html>");
  for (const std::vector<std::string>& models :
       {std::vector{bad, folder.Path("absent")}, std::vector{folder.Path("absent"), bad}}) {
    EXPECT_EQ(RunCommand({"rehearse", models.front(), models.back(), "--loader", GGUFGATE_COMMAND})
                  .exit_code,
              1);
  }
}

}  // namespace
}  // namespace ggufgate::testing
