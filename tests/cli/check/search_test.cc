// ggufgate check: which files it checks if they are not named one by one, and the limits.

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

using Json = nlohmann::json;

struct ListedFiles {
  TempFolder folder;
  std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  std::string bad = folder.Write("bad.gguf", Write(Model::Minimal().Set("", "no key")));
};

TEST(FilesFrom, JudgesThePathsOfAList) {
  const ListedFiles files;
  const std::string list = files.folder.WriteText("list", files.good + "\n\n" + files.bad);
  const CommandResult result = RunCommand({"check", "--files-from", list});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("ok      " + files.good), HasSubstr("key-empty")));
  EXPECT_THAT(result.error, HasSubstr("2 files: 1 ok, 1 rejected"));
  // In addition to the named files; folders are allowed, too.
  const std::string folders = files.folder.WriteText("folders", files.folder.path() + "\n");
  EXPECT_THAT(RunCommand({"check", files.good, "--files-from", folders}).error,
              HasSubstr("3 files: 2 ok, 1 rejected"));
}

TEST(FilesFrom, ComesThroughStandardInput) {
  const ListedFiles files;
  EXPECT_EQ(RunCommand({"check", "--files-from", "-"}, {.input = files.good + "\n"}).exit_code, 0);
  const CommandResult twice =
      RunCommand({"check", "--files-from", "-", "-"}, {.input = files.good + "\n"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.error,
              HasSubstr("standard input is the list of files, so it cannot be a file to check"));
}

// A list of a folder's files contains their names, which may be any text.
TEST(FilesFrom, ALineOfADashIsAFile) {
  const ListedFiles files;
  files.folder.Write("-", Write(Model::Minimal().Set("", "no key")));
  const std::string sound(AsText(Write(Model::Minimal())));
  const std::string list = files.folder.WriteText("list", "-\n");
  const CommandOptions here{.input = sound, .folder = files.folder.path()};
  const CommandResult file = RunCommand({"check", "--files-from", list}, here);
  EXPECT_EQ(file.exit_code, 1) << "and not the sound one that comes through standard input";
  EXPECT_THAT(file.out, HasSubstr("reject  ./-"));
  EXPECT_EQ(
      RunCommand({"check", "--files-from", "-"}, {.input = "-\n", .folder = files.folder.path()})
          .exit_code,
      1);
  EXPECT_EQ(RunCommand({"check", "-"}, here).exit_code, 0) << "the command line may name it";
  std::filesystem::remove(files.folder.Path("-"));
  const CommandResult none = RunCommand({"check", "--files-from", list}, here);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.out, HasSubstr("No such file or directory"));
}

TEST(FilesFrom, HoldsAnyNameWhenNulsEndThem) {
  const ListedFiles files;
  const std::string hostile = files.folder.Write("a\nb \x1b[2J\xff", Write(Model::Minimal()));
  const std::string list = hostile + '\0' + files.good;  // the last path needs no NUL
  const CommandResult result = RunCommand({"check", "-0", "--files-from", "-"}, {.input = list});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, HasSubstr("2 files: 2 ok"));
  EXPECT_TRUE(IsHarmless(result.out));
  const CommandResult lines = RunCommand({"check", "--files-from", "-"}, {.input = list});
  EXPECT_EQ(lines.exit_code, 2);
  EXPECT_THAT(lines.error, HasSubstr("use --null for such lists"));
}

TEST(FilesFrom, ListsThatHoldNothingOrCannotBeReadAreUndecided) {
  const ListedFiles files;
  const auto complaint = [](const std::vector<std::string>& arguments, const std::string& input) {
    const CommandResult result = RunCommand(arguments, {.input = input});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    return result.error;
  };
  EXPECT_EQ(complaint({"check", "--files-from", "-"}, "\n\n"),
            "ggufgate: nothing was checked: the list is empty\n");
  EXPECT_THAT(complaint({"check", "--files-from", files.folder.Path("none\x1b")}, ""),
              HasSubstr("none\\x1b: cannot open the list: No such file or directory"));
  EXPECT_THAT(complaint({"check", "--files-from", files.folder.path()}, ""),
              HasSubstr("cannot read the list: Is a directory"));
  EXPECT_THAT(complaint({"check", "--files-from", "/dev/zero"}, ""),
              HasSubstr("the list is larger than 64 MiB"));
  std::string many;
  for (int i = 0; i <= 1'000'000; ++i) many += "a\n";
  EXPECT_THAT(complaint({"check", "--files-from", "-"}, many),
              HasSubstr("the list has more than 1000000 paths"));
  EXPECT_THAT(complaint({"check", "-0", files.good}, ""),
              HasSubstr("--null requires --files-from"));
  EXPECT_THAT(complaint({"check"}, ""), HasSubstr("PATH is required"));
}

TEST(Exclude, PassesOverAndSaysSo) {
  const ListedFiles files;
  const std::string folder = files.folder.path();
  const CommandResult result = RunCommand({"check", "--verbose", "--exclude", "bad*", folder});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, AllOf(HasSubstr("skipped  " + files.bad + ": it is excluded\n"),
                                  HasSubstr("1 file skipped\n")));
  EXPECT_EQ(RunCommand({"check", "--exclude", "x", "--exclude", "bad*", folder}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "--exclude", "x", folder}).exit_code, 1);
  EXPECT_EQ(RunCommand({"check", "--exclude", "[ab]ad.gguf", folder}).exit_code, 0);
  // A pattern must not take the path after it.
  EXPECT_EQ(RunCommand({"check", "--exclude", "bad*", files.bad, files.good}).exit_code, 0);
}

TEST(Exclude, OfAllLeavesNothingChecked) {
  const ListedFiles files;
  const CommandResult result = RunCommand({"check", "--exclude", "*", files.good, files.bad});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, AllOf(HasSubstr("2 files skipped"), HasSubstr("nothing was checked")));
}

TEST(Summary, CountsFindingsAndFilesByRule) {
  const ListedFiles files;
  Model twice = Model::Minimal();
  twice.Set("a\x7f", std::uint32_t{1}).Set("b\x7f", std::uint32_t{1}).Set("", "no key");
  files.folder.Write("twice.gguf", Write(twice));
  files.folder.Link("gone.gguf", "nowhere");
  const CommandResult result = RunCommand({"check", "--summary", files.folder.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out,
            "  rule            severity  findings  files\n"
            "  key-empty       error            2      2\n"
            "  key-characters  error            2      1\n");
  EXPECT_EQ(result.error, "4 files: 1 ok, 2 rejected, 1 undecided\n");
}

TEST(Summary, OfSoundFilesIsTheNumberOfThem) {
  const ListedFiles files;
  const CommandResult result = RunCommand({"check", "--summary", files.good});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.error, "1 file: 1 ok, 0 rejected, 0 undecided\n");
}

TEST(Summary, IsJsonForPrograms) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const ListedFiles files;
  const CommandResult result =
      RunCommand({"check", "--summary", "-f", "json", files.good, files.bad});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(FitsSchema(result.out, "summary-1"));
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("files").dump(), R"({"accept":1,"reject":1,"undecided":0})");
  EXPECT_EQ(json.at("rules").dump(),
            R"([{"files":1,"findings":1,"rule":"key-empty","severity":"error","suppressed":0}])");
  const CommandResult sarif = RunCommand({"check", "--summary", "-f", "sarif", files.good});
  EXPECT_EQ(sarif.exit_code, 2);
  EXPECT_THAT(sarif.error, StartsWith("ggufgate: --summary needs --format text or json\nTry '"));
}

TEST(Summary, LeavesOutWhatAPolicySuppresses) {
  const ListedFiles files;
  const std::string policy = files.folder.WriteText(
      "policy.toml",
      "schema = \"ggufgate.policy/1\"\n[[suppress]]\nrule = \"key-characters\"\n"
      "reason = \"known\"\n");
  const std::string known =
      files.folder.Write("known", Write(Model::Minimal().Set("a\x7f", std::uint32_t{1})));
  const std::vector<std::string> by = {"check", "--summary", "--policy", policy, known};
  const CommandResult text = RunCommand(by);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, Not(HasSubstr("key-characters")));
  std::vector<std::string> as_json = by;
  as_json.insert(as_json.end(), {"--format", "json"});
  EXPECT_THAT(RunCommand(as_json).out, HasSubstr(R"("findings":0,"files":0,"suppressed":1)"));
}

// --- the audit trail -----------------------------------------------------------------------------

TEST(Audit, TheTimeCanBeSet) {
  const ListedFiles files;
  const auto time = [&](const std::string& epoch) {
    const CommandResult result = RunCommand({"check", "-f", "json", files.good},
                                            {.environment = {"SOURCE_DATE_EPOCH=" + epoch}});
    return Json::parse(result.out).at("time").get<std::string>();
  };
  EXPECT_EQ(time("0"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time("951782400"), "2000-02-29T00:00:00Z");
  EXPECT_EQ(time("1764000000"), "2025-11-24T16:00:00Z");
  for (const char* none : {"", "-1", "x", "99999999999", "1 "})
    EXPECT_GT(time(none), "2026") << none;
}

TEST(Audit, TheDigestIsThatOfThePolicyAsItIsPrinted) {
  const ListedFiles files;
  const auto digest = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "-f", "json", files.good});
    return Json::parse(RunCommand(options).out).at("policy_sha256").get<std::string>();
  };
  const std::string policy = files.folder.WriteText(
      "policy.toml", "schema = \"ggufgate.policy/1\"\nfail_on = \"warning\"\n");
  const auto printed = [&](const std::vector<std::string>& options) {
    std::vector<std::string> print = {"policy", "print"};
    print.insert(print.end(), options.begin(), options.end());
    return RunProgram("/usr/bin/sha256sum", {}, {.input = RunCommand(print).out}).out.substr(0, 64);
  };
  EXPECT_EQ(digest({}), printed({}));
  EXPECT_EQ(digest({"--policy", policy}), printed({"--policy", policy}));
  EXPECT_EQ(digest({"--profile", "spec"}), printed({"--profile", "spec"}));
  EXPECT_EQ(digest({"--fail-on", "warning"}), digest({"--policy", policy}))
      << "an option counts like the same line of a file";
  EXPECT_NE(digest({"--data", "full"}), digest({}));
}

TEST(Audit, SarifSaysTheSameAndTwoRunsAreAlike) {
  const ListedFiles files;
  const CommandOptions at{.environment = {"SOURCE_DATE_EPOCH=1764000000"}};
  const std::string sarif = RunCommand({"check", "-f", "sarif", files.bad}, at).out;
  const Json invocation = Json::parse(sarif).at("runs").at(0).at("invocations").at(0);
  const Json json = Json::parse(RunCommand({"check", "-f", "json", files.bad}, at).out);
  EXPECT_EQ(invocation.at("startTimeUtc"), json.at("time"));
  EXPECT_EQ(invocation.at("properties").at("policySha256"), json.at("policy_sha256"));
  EXPECT_EQ(invocation.at("properties").at("confinement"), json.at("confinement"));
  EXPECT_EQ(invocation.at("properties").at("data"), "none");
  EXPECT_EQ(RunCommand({"check", "-f", "sarif", files.bad}, at).out, sarif);
}

}  // namespace
}  // namespace ggufgate::testing
