// ggufgate inspect: its output, and that a listing is not mistaken for an accepted file.

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

struct InspectedFiles {
  TempFolder folder;
  std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  std::string bad = folder.Write("bad.gguf", Write(Model::Minimal().Set("", "no key")));
  std::string page = folder.WriteText("page.gguf", "<!DOCTYPE html><title>404 Not Found</title>");
};

TEST(Inspect, ShowsAFileAndExitsLikeCheck) {
  const InspectedFiles files;
  const CommandResult good = RunCommand({"inspect", files.good});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out, StartsWith(files.good + "\n\n  size "));
  EXPECT_THAT(good.out, HasSubstr("general.architecture  string  \"test\""));
  EXPECT_THAT(good.out, HasSubstr("weight  F32   [8]"));
  EXPECT_THAT(good.error, IsEmpty());
}

TEST(Inspect, SaysOnTheErrorStreamWhatIsWrong) {
  const InspectedFiles files;
  for (const char* format : {"text", "json"}) {
    const CommandResult bad = RunCommand({"inspect", "--format", format, files.bad});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_THAT(bad.out, HasSubstr("no key")) << "it is shown all the same";
    EXPECT_THAT(bad.error, StartsWith("reject  " + files.bad));
    EXPECT_THAT(bad.error, HasSubstr("error[key-empty]"));
    const CommandResult page = RunCommand({"inspect", "--format", format, files.page});
    EXPECT_EQ(page.exit_code, 1);
    EXPECT_THAT(page.error, HasSubstr("this is a web page"));
  }
}

TEST(InspectLoaders, ShowsTheOutcomeInEachRelease) {
  const std::string corpus = std::string(GGUFGATE_SOURCE_DIR) + "/corpus/";
  const std::string sound = corpus + "valid/sample-llama.gguf";
  const CommandResult text = RunCommand({"inspect", "--loaders", sound});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("\nloaders\n  llama.cpp v0.5.0  runs\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("\ntensors\n")));
  const CommandResult json = RunCommand(
      {"inspect", "--loaders", "--format", "json", corpus + "invalid/rope-dimensions.gguf"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(FitsSchema(json.out, "inspect-1"));
  const Json loaders = Json::parse(json.out).at("loaders");
  ASSERT_EQ(loaders.size(), 3U);
  EXPECT_EQ(loaders.at(0).at("outcome"), "crashes");
  EXPECT_EQ(loaders.at(0).at("rule"), "rope-dimensions");
  EXPECT_FALSE(Json::parse(RunCommand({"inspect", "-f", "json", sound}).out).contains("loaders"));
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--key", "k"}, {"--at", "0"}, {"--format", "html"}}) {
    std::vector<std::string> arguments = {"inspect", "--loaders", sound};
    arguments.insert(arguments.end(), other.begin(), other.end());
    EXPECT_EQ(RunCommand(arguments).exit_code, 2);
  }
}

// A release that does not know the architecture of the file rejects it.
TEST(InspectLoaders, SaysOnTheErrorStreamWhyOneDoesNotRunIt) {
  const InspectedFiles files;
  const CommandResult result = RunCommand({"inspect", "--loaders", files.good});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("unknown  architecture-unknown"));
  EXPECT_THAT(result.error, StartsWith("reject  " + files.good));
}

// --- one byte ------------------------------------------------------------------------------------

TEST(InspectAt, TellsOfAByteInBothNotations) {
  const InspectedFiles files;
  const CommandResult decimal = RunCommand({"inspect", "--at", "26", files.good});
  EXPECT_EQ(decimal.exit_code, 0);
  EXPECT_THAT(decimal.out, HasSubstr("key length, 0x18 to 0x1f, 8 bytes"));
  EXPECT_EQ(RunCommand({"inspect", "--at", "0x1a", files.good}).out, decimal.out);
  EXPECT_EQ(RunCommand({"inspect", "--at", "159", files.good}).exit_code, 0);
}

TEST(InspectAt, RefusesWhatIsNoByteOfTheFile) {
  const InspectedFiles files;
  const CommandResult beyond = RunCommand({"inspect", "--at", "160", files.good});
  EXPECT_EQ(beyond.exit_code, 2);
  EXPECT_THAT(beyond.error, HasSubstr("there is no byte 160: the file has 160 bytes"));
  for (const char* wrong : {"0x", "12x", "-1", "18446744073709551616", "1e3"}) {
    const CommandResult result = RunCommand({"inspect", std::string("--at=") + wrong, files.good});
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_THAT(result.error, HasSubstr("--at needs a byte offset"));
  }
  EXPECT_EQ(RunCommand({"inspect", "--at", "0", "--key", "k", files.good}).exit_code, 2);
}

TEST(InspectHtml, IsAPageWithTheVerdict) {
  const InspectedFiles files;
  const CommandResult bad = RunCommand({"inspect", "--format", "html", files.bad});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(bad.out, HasSubstr("<strong class=\"bad\">reject</strong>"));
  EXPECT_EQ(RunCommand({"inspect", "--format", "html", files.good}).exit_code, 0);
  EXPECT_EQ(RunCommand({"inspect", "--format", "html", "--at", "1", files.good}).exit_code, 2);
}

// --- one key -------------------------------------------------------------------------------------

const std::string kTemplate = "{{ messages }}\n\t{# \x1b[2J \\ #}\n";

std::string WithTemplate(const InspectedFiles& files) {
  return files.folder.Write("chat.gguf",
                            Write(Model::Minimal()
                                      .Set("tokenizer.chat_template", kTemplate)
                                      .Set("list", std::vector<std::string>{"a\x1b", "b"})
                                      .Set("number", std::uint32_t{7})));
}

TEST(InspectKey, ShowsAllOfAValueEscaped) {
  const InspectedFiles files;
  const std::string path = WithTemplate(files);
  const CommandResult text = RunCommand({"inspect", "--key", "tokenizer.chat_template", path});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.out, "{{ messages }}\n\t{# \\x1b[2J \\\\ #}\n");
  EXPECT_EQ(RunCommand({"inspect", "--key", "list", path}).out, "a\\x1b\nb\n");
  EXPECT_EQ(RunCommand({"inspect", "--key", "number", path}).out, "7\n");
  const CommandResult json =
      RunCommand({"inspect", "-f", "json", "--key", "tokenizer.chat_template", path});
  const Json metadata = Json::parse(json.out).at("metadata");
  ASSERT_EQ(metadata.size(), 1U);
  EXPECT_EQ(metadata.at(0).at("value"), "{{ messages }}\\x0a\\x09{# \\x1b[2J \\\\ #}\\x0a");
  EXPECT_FALSE(Json::parse(json.out).contains("tensors"));
  EXPECT_TRUE(FitsSchema(json.out, "inspect-1"));
}

// In a log of GitHub, a line of a template would be a command.
TEST(Inspect, NoLineBeginsWithAWorkflowCommand) {
  const InspectedFiles files;
  Model model = Model::Minimal();
  model.Set("::error::key", std::uint32_t{1})
      .Set("text", "::error::a\n\t ::error::b\nc ::error::d")
      .Set("list", std::vector<std::string>{"::error::a", "b::c"});
  model.Add("::error::tensor", TensorType::kF32, {1});
  const std::string path = files.folder.Write("commands.gguf", Write(model));
  EXPECT_EQ(RunCommand({"inspect", "--key", "text", path}).out,
            "\\x3a:error::a\n\t \\x3a:error::b\nc ::error::d\n");
  EXPECT_EQ(RunCommand({"inspect", "--key", "list", path}).out, "\\x3a:error::a\nb::c\n");
  const std::string all = RunCommand({"inspect", path}).out;
  EXPECT_THAT(all, AllOf(HasSubstr("  \\x3a:error::key  "), HasSubstr("  \\x3a:error::tensor  ")));
  files.folder.Write("::error::file", Write(model));
  const CommandOptions here{.folder = files.folder.path()};
  EXPECT_THAT(RunCommand({"inspect", "::error::file"}, here).out,
              StartsWith("\\x3a:error::file\n"));
  EXPECT_THAT(RunCommand({"inspect", "--at", "0", "::error::file"}, here).out,
              StartsWith("\\x3a:error::file, byte 0x0"));
}

// Text in the middle of a line would be a command, too.
TEST(Inspect, NoLineHasACommandInIt) {
  const InspectedFiles files;
  Model model = Model::Minimal();
  model.Set("a ##[error]key", std::uint32_t{1})
      .Set("text", "a ##[error]b\n##vso[task.x]")
      .Set("list", std::vector<std::string>{"a ##[error]b", "##[group]"});
  model.Add("a ##[error]tensor", TensorType::kF32, {1});
  const std::string path = files.folder.Write("a ##[error]file.gguf", Write(model));
  EXPECT_EQ(RunCommand({"inspect", "--key", "text", path}).out,
            "a \\x23#[error]b\n\\x23#vso[task.x]\n");
  EXPECT_EQ(RunCommand({"inspect", "--key", "list", path}).out,
            "a \\x23#[error]b\n\\x23#[group]\n");
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--layout", "--metadata", "--tensors"},
                                                  {"--format", "json", "--whole-arrays"},
                                                  {"--format", "html"},
                                                  {"--at", "0"}}) {
    std::vector<std::string> arguments = {"inspect"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(path);
    EXPECT_TRUE(IsHarmless(RunCommand(arguments).out)) << ::testing::PrintToString(options);
  }
}

TEST(InspectKey, IsRawOnlyWhereThatIsAskedForAndNoTerminal) {
  const InspectedFiles files;
  const std::string path = WithTemplate(files);
  const std::vector<std::string> raw = {"inspect", "--key", "tokenizer.chat_template", "--raw",
                                        path};
  EXPECT_EQ(RunCommand(raw).out, kTemplate);
  const CommandResult shown = RunCommand(raw, {.terminal = true});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_THAT(shown.out, IsEmpty());
  EXPECT_THAT(shown.error, HasSubstr("--raw does not write to a terminal"));
  const std::string file = files.folder.Path("template.jinja");
  std::vector<std::string> into = raw;
  into.insert(into.end(), {"-o", file});
  EXPECT_EQ(RunCommand(into, {.terminal = true}).exit_code, 0);
  EXPECT_EQ(RunProgram("/bin/cat", {file}).out, kTemplate);
}

TEST(InspectKey, OfNoValueLeavesNoFile) {
  const InspectedFiles files;
  const std::string path = WithTemplate(files);
  const auto complaint = [&](std::vector<std::string> options) {
    const std::string file = files.folder.Path("none");
    options.insert(options.begin(), {"inspect", path, "-o", file});
    const CommandResult result = RunCommand(options);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(file));
    return result.error;
  };
  EXPECT_EQ(complaint({"--key", "tokenizer.chat_tempalte"}),
            "ggufgate: " + path +
                ": there is no key \"tokenizer.chat_tempalte\"; did you mean "
                "tokenizer.chat_template?\n");
  EXPECT_THAT(complaint({"--key", "number", "--raw"}), HasSubstr("number is not a string"));
  EXPECT_THAT(complaint({"--raw"}), HasSubstr("--raw needs --key"));
  EXPECT_THAT(complaint({"--key", "number", "--raw", "-f", "json"}), HasSubstr("--format text"));
  EXPECT_THAT(complaint({"--key", "number", "--layout"}), HasSubstr("without other parts"));
}

TEST(Inspect, WritesIntoAFile) {
  const InspectedFiles files;
  const std::string file = files.folder.Path("out");
  EXPECT_EQ(RunCommand({"inspect", "-o", file, files.bad}).exit_code, 1) << "shown all the same";
  EXPECT_EQ(RunProgram("/bin/cat", {file}).out, RunCommand({"inspect", files.bad}).out);
  EXPECT_EQ(RunCommand({"inspect", "-o", files.good, files.good}).exit_code, 2);
}

TEST(Inspect, OfAFolderSaysWhatToDo) {
  const InspectedFiles files;
  const CommandResult result = RunCommand({"inspect", files.folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error, "ggufgate: " + files.folder.path() +
                              " is a folder; inspect takes one file: try ggufgate check " +
                              files.folder.path() + "\n");
}

TEST(Inspect, IsUndecidedAboutWhatCannotBeRead) {
  const InspectedFiles files;
  for (const std::string& path :
       {files.folder.Path("none"), files.folder.MakePipe("pipe"), std::string("/dev/zero")}) {
    const CommandResult result = RunCommand({"inspect", path});
    EXPECT_FALSE(result.hung) << path;
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, StartsWith("ggufgate: " + path + ": "));
  }
}

TEST(Inspect, ShowsThePartsAskedFor) {
  const InspectedFiles files;
  const auto out = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "inspect");
    options.push_back(files.good);
    return RunCommand(options).out;
  };
  EXPECT_THAT(out({}), Not(HasSubstr("\nlayout\n")));
  EXPECT_THAT(out({"--metadata"}), HasSubstr("\nmetadata\n"));
  EXPECT_THAT(out({"--metadata"}), Not(HasSubstr("\ntensors\n")));
  EXPECT_THAT(out({"--tensors"}), HasSubstr("\ntensors\n"));
  EXPECT_THAT(out({"--tensors"}), Not(HasSubstr("\nmetadata\n")));
  EXPECT_THAT(out({"--layout"}), HasSubstr("\nlayout\n"));
  EXPECT_THAT(out({"--layout"}), Not(HasSubstr("\ntensors\n")));
  const std::string all = out({"--layout", "--metadata", "--tensors"});
  for (const char* part : {"\nlayout\n", "\nmetadata\n", "\ntensors\n"}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
}

TEST(Inspect, JsonFitsItsSchema) {
  ASSERT_TRUE(CanValidate()) << "the package python3-jsonschema is missing: run scripts/setup";
  const InspectedFiles files;
  for (const std::string& path : {files.good, files.bad, files.page}) {
    const CommandResult result =
        RunCommand({"inspect", "--format", "json", "--layout", "--metadata", "--tensors", path});
    EXPECT_TRUE(FitsSchema(result.out, "inspect-1"));
  }
}

TEST(Inspect, WholeArraysAreWhole) {
  const TempFolder folder;
  std::vector<std::string> tokens;
  for (int i = 0; i < 1'000; ++i) tokens.push_back("t" + std::to_string(i));
  const std::string path =
      folder.Write("a", Write(Model::Minimal().Set("tokenizer.ggml.tokens", tokens)));
  const auto value = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"inspect", "--format", "json", path});
    return Json::parse(RunCommand(options).out).at("metadata").at(1).at("value");
  };
  EXPECT_EQ(value({"--whole-arrays"}), Json(tokens));
  EXPECT_EQ(value({}).size(), 8U);
}

TEST(Inspect, ReadsStandardInput) {
  const std::string sound(AsText(Write(Model::Minimal())));
  const CommandResult result = RunCommand({"inspect", "-"}, {.input = sound});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, StartsWith("-\n"));
  EXPECT_EQ(RunCommand({"inspect", "-"}, {.input = sound.substr(0, 50)}).exit_code, 1);
}

TEST(Inspect, TakesOneFile) {
  const InspectedFiles files;
  EXPECT_EQ(RunCommand({"inspect"}).exit_code, 2);
  EXPECT_EQ(RunCommand({"inspect", files.good, files.good}).exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
