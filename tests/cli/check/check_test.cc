// ggufgate check: its verdicts on files, and its options.

#include <gmock/gmock.h>

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

// Files has one file of each kind.
struct Files {
  TempFolder folder;
  std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  std::string cut = folder.Write("cut.gguf", Cut());
  std::string missing = folder.Path("missing.gguf");
  std::string noted =
      folder.Write("noted.gguf", Write(Model::Minimal().Set("Not.Lower", std::uint32_t{1})));
  std::string warned = folder.Write("warned.gguf", Write(Model::Minimal().Set("text", "\xff")));

  static std::vector<std::uint8_t> Cut() {
    std::vector<std::uint8_t> file = Write(Model::Minimal());
    file.resize(file.size() - 16);
    return file;
  }
};

int ExitOf(const std::vector<std::string>& arguments) {
  const CommandResult result = RunCommand(arguments);
  EXPECT_FALSE(result.hung);
  EXPECT_EQ(result.signal, 0);
  return result.exit_code;
}

TEST(Check, ExitsWithTheWorstOfItsVerdicts) {
  const Files files;
  EXPECT_EQ(ExitOf({"check", files.good}), 0);
  EXPECT_EQ(ExitOf({"check", files.good, files.good}), 0);
  EXPECT_EQ(ExitOf({"check", files.cut}), 1);
  EXPECT_EQ(ExitOf({"check", files.good, files.cut}), 1);
  EXPECT_EQ(ExitOf({"check", files.cut, files.good}), 1);
  EXPECT_EQ(ExitOf({"check", files.missing}), 2);
  EXPECT_EQ(ExitOf({"check", files.good, files.missing}), 2);
  EXPECT_EQ(ExitOf({"check", files.missing, files.good}), 2);
  EXPECT_EQ(ExitOf({"check", files.missing, files.cut, files.good}), 1);
}

TEST(Check, PrintsALineAFileAndItsFindings) {
  const Files files;
  const CommandResult result = RunCommand({"check", files.good, files.cut, files.missing});
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 5U) << result.out;
  EXPECT_THAT(lines.at(0), StartsWith("ok      " + files.good + "   test 8, F32, 1 tensor"));
  EXPECT_EQ(lines.at(1), "reject  " + files.cut);
  EXPECT_THAT(lines.at(2), HasSubstr("error[tensor-data-bounds] weight: data ends at byte 160; the "
                                     "file has 144: 16 bytes missing"));
  EXPECT_THAT(lines.at(3), HasSubstr("cut short"));
  EXPECT_EQ(lines.at(4),
            "undecided  " + files.missing + ": cannot open: No such file or directory");
  EXPECT_EQ(result.error, "3 files: 1 ok, 1 rejected, 1 undecided\n");
}

TEST(Check, OfOneFileHasNoTally) {
  const Files files;
  EXPECT_THAT(RunCommand({"check", files.good}).error, IsEmpty());
}

TEST(Check, FailOnSetsTheThreshold) {
  const Files files;
  const auto exit_of = [](const std::string& level, const std::string& path) {
    return ExitOf({"check", "--fail-on", level, path});
  };
  EXPECT_EQ(exit_of("error", files.noted), 0);
  EXPECT_EQ(exit_of("warning", files.noted), 0);
  EXPECT_EQ(exit_of("note", files.noted), 1);
  EXPECT_EQ(exit_of("error", files.warned), 0);
  EXPECT_EQ(exit_of("warning", files.warned), 1);
  EXPECT_EQ(exit_of("note", files.warned), 1);
  EXPECT_EQ(exit_of("note", files.good), 0);
  EXPECT_EQ(exit_of("error", files.cut), 1);
}

TEST(Check, ProfileChoosesTheSeverities) {
  const Files files;
  EXPECT_EQ(ExitOf({"check", files.noted}), 0);
  EXPECT_EQ(ExitOf({"check", "--profile", "gate", files.noted}), 0);
  EXPECT_EQ(ExitOf({"check", "--profile", "llama.cpp", files.noted}), 0);
  EXPECT_EQ(ExitOf({"check", "--profile", "spec", files.noted}), 1);
}

TEST(Check, QuietSaysNothingAboutAcceptedFiles) {
  const Files files;
  for (const char* flag : {"--quiet", "-q"}) {
    EXPECT_THAT(RunCommand({"check", flag, files.good}).out, IsEmpty());
    EXPECT_THAT(RunCommand({"check", flag, files.warned}).out, IsEmpty());
    const CommandResult mixed = RunCommand({"check", flag, files.good, files.cut, files.missing});
    EXPECT_EQ(mixed.exit_code, 1);
    EXPECT_THAT(mixed.out, Not(HasSubstr("ok ")));
    EXPECT_THAT(mixed.out, StartsWith("reject  " + files.cut));
    EXPECT_THAT(mixed.out, HasSubstr("undecided  " + files.missing));
  }
}

TEST(Check, VerboseShowsNotes) {
  const Files files;
  const CommandResult silent = RunCommand({"check", files.noted});
  EXPECT_THAT(silent.out, Not(HasSubstr("note[")));
  EXPECT_THAT(silent.out, HasSubstr("1 note (--verbose shows them)"));
  for (const char* flag : {"--verbose", "-v"}) {
    const CommandResult verbose = RunCommand({"check", flag, files.noted});
    EXPECT_EQ(verbose.exit_code, 0);
    EXPECT_THAT(verbose.out, HasSubstr("note[key-style] Not.Lower:"));
  }
}

TEST(Check, JsonFitsItsSchema) {
  ASSERT_TRUE(CanValidate()) << "the package python3-jsonschema is missing: run scripts/setup";
  const Files files;
  const CommandResult result = RunCommand({"check", "--format", "json", "--sha256", files.good,
                                           files.cut, files.missing, files.noted, files.warned});
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));
  EXPECT_THAT(result.error, IsEmpty());
  TempFolder empty;
  EXPECT_TRUE(FitsSchema(RunCommand({"check", "--format", "json", empty.path()}).out, "report-1"));
}

TEST(Check, JsonSaysWhatTheExitCodeSays) {
  const Files files;
  const CommandResult result =
      RunCommand({"check", "--format", "json", files.good, files.cut, files.missing});
  EXPECT_EQ(result.exit_code, 1);
  const Json report = Json::parse(result.out);
  std::vector<std::string> verdicts;
  for (const Json& file : report.at("files")) verdicts.push_back(file.at("verdict"));
  EXPECT_THAT(verdicts, ElementsAre("accept", "reject", "undecided"));
  const Json& finding = report.at("files").at(1).at("findings").at(0);
  EXPECT_EQ(finding.at("rule"), "tensor-data-bounds");
  EXPECT_EQ(ExitOf({"explain", finding.at("rule")}), 0);
}

TEST(Check, Sha256IsThatOfTheFile) {
  const Files files;
  const CommandResult theirs = RunProgram("/usr/bin/sha256sum", {files.good, files.cut});
  ASSERT_EQ(theirs.exit_code, 0);
  const CommandResult ours =
      RunCommand({"check", "--format", "json", "--sha256", files.good, files.cut});
  const Json report = Json::parse(ours.out);
  const std::vector<std::string> lines = Lines(theirs.out);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(report.at("files").at(i).at("sha256"), lines.at(i).substr(0, 64));
  }
  const Json plain = Json::parse(RunCommand({"check", "--format", "json", files.good}).out);
  EXPECT_FALSE(plain.at("files").at(0).contains("sha256"));
}

TEST(Check, SaysThatTextHasNoSha256) {
  const Files files;
  const std::string notice = "ggufgate: this report has no SHA-256; --format json shows it\n";
  const CommandResult text = RunCommand({"check", "--sha256", files.good});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.error, notice);
  EXPECT_THAT(RunCommand({"check", "--sha256", "--summary", "-f", "json", files.good}).error,
              HasSubstr(notice));
  for (const std::string format : {"json", "jsonl", "sarif", "html"}) {
    EXPECT_THAT(RunCommand({"check", "--sha256", "-f", format, files.good}).error, IsEmpty());
  }
}

TEST(Check, QuietAndVerboseExcludeEachOther) {
  const Files files;
  const CommandResult result = RunCommand({"check", "--quiet", "--verbose", files.good});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.error,
            "ggufgate: --quiet and --verbose exclude each other; give one of them\n"
            "Try 'ggufgate check --help'.\n");
}

TEST(Check, ArgumentsAreFilesHoweverTheyLook) {
  // Brackets mean a list to the parser of the command line; braces mean nothing, and other words
  // are commands.
  const TempFolder folder;
  const std::vector<std::string> names = {"[x]", "[a,b]", "[", "]",   "[]",  "{}",
                                          "x,y", "rules", "=", "a b", "'q'", "%s%n"};
  for (const std::string& name : names) folder.Write(name, Files::Cut());
  for (const char* decoy : {"x", "a", "b"}) folder.Write(decoy, Write(Model::Minimal()));
  for (const std::string& name : names) {
    const CommandResult result = RunCommand({"check", name}, {.folder = folder.path()});
    EXPECT_EQ(result.exit_code, 1) << name;
    EXPECT_THAT(result.out, StartsWith("reject  " + name + "\n"));
    EXPECT_EQ(RunCommand({"inspect", name}, {.folder = folder.path()}).exit_code, 1) << name;
  }
  const CommandResult both = RunCommand({"check", "[x]", "x"}, {.folder = folder.path()});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_EQ(both.error, "2 files: 1 ok, 1 rejected, 0 undecided\n");
}

TEST(Check, FilesThatLookLikeOptionsComeAfterTwoDashes) {
  const TempFolder folder;
  folder.Write("--quiet", Files::Cut());
  const CommandResult result = RunCommand({"check", "--", "--quiet"}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("reject  --quiet\n"));
}

TEST(Check, RefusesValuesItDoesNotKnow) {
  const Files files;
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"--format", "yaml"},
                                                        {"--format", ""},
                                                        {"--profile", "ollama"},
                                                        {"--profile", "GATE"},
                                                        {"--fail-on", "off"},
                                                        {"--fail-on", "errors"},
                                                        {"--jobs", "0"},
                                                        {"--jobs", "-1"},
                                                        {"--jobs", "1025"},
                                                        {"--jobs", "many"},
                                                        {"--jobs", ""},
                                                        {"--jobs", "18446744073709551617"}}) {
    const CommandResult result = RunCommand({"check", option, value, files.good});
    EXPECT_EQ(result.exit_code, 2) << option << ' ' << value;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.error, HasSubstr(option)) << "says what was wrong";
  }
}

}  // namespace
}  // namespace ggufgate::testing
