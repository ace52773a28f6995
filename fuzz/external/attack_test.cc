// The attacks as users run them: on the naive loader, whose bug they must find, and on the
// reference, which must load the files that the gate accepts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

const std::string kNaive = GGUFGATE_ATTACK_NAIVE_LOADER;
const std::string kLlamaCpp = GGUFGATE_ATTACK_LLAMA_CPP;
const std::string kCorpus = std::string(GGUFGATE_SOURCE_DIR) + "/corpus";

CommandResult RunAttack(const std::string& program, std::vector<std::string> arguments) {
  arguments.push_back(kCorpus + "/valid");
  return RunProgram(program, arguments);
}

nlohmann::json Json(const std::string& path) { return nlohmann::json::parse(std::ifstream(path)); }

// It writes beyond a block of memory. Without a sanitizer this shows only when the allocator
// detects it, possibly some files later.
TEST(AttackTest, FindsTheFaultOfTheNaiveLoader) {
  const TempFolder folder;
  const CommandResult result = RunAttack(
      kNaive, {"--count", "2000", "--json", folder.Path("report.json"), "--out", folder.path()});
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_THAT(result.out, HasSubstr("\ncrashes, "));
  const nlohmann::json report = Json(folder.Path("report.json"));
  EXPECT_EQ(report.at("mutants"), 2000);
  const nlohmann::json& sorts = report.at("misbehaviour");
  const auto crash =
      std::ranges::find_if(sorts, [](const auto& sort) { return sort.at("outcome") == "crashes"; });
  ASSERT_NE(crash, sorts.end());
  EXPECT_TRUE(std::filesystem::exists(crash->at("file").get<std::string>()));
  if (kSanitized) {
    EXPECT_EQ(crash->at("alone"), true);
  }
}

TEST(AttackTest, MakesTheFolderThatItKeepsFilesIn) {
  const TempFolder folder;
  const std::string kept = folder.Path("kept");
  const CommandResult result = RunAttack(kNaive, {"--count", "2000", "--out", kept});
  EXPECT_EQ(result.exit_code, 1) << result.error;
  EXPECT_TRUE(std::filesystem::is_directory(kept));
  EXPECT_FALSE(std::filesystem::is_empty(kept));
}

TEST(AttackTest, MakesNoParentsOfThatFolderAndReplacesNoFile) {
  const TempFolder folder;
  const CommandResult absent = RunAttack(kNaive, {"--out", folder.Path("absent/kept")});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.error, HasSubstr("absent/kept: cannot make this folder for --out: "));
  const std::string file = folder.Write("file", std::vector<std::uint8_t>{1});
  EXPECT_THAT(RunAttack(kNaive, {"--out", file}).error, HasSubstr("is not a folder"));
}

TEST(AttackTest, ReportsByRuleWhatLoadsAlthoughTheGateRejects) {
  const TempFolder folder;
  RunAttack(kNaive, {"--count", "1000", "--mode", "one-lie", "--json", folder.Path("report.json")});
  const nlohmann::json report = Json(folder.Path("report.json"));
  const auto overlap = std::ranges::find_if(
      report.at("rules"), [](const auto& rule) { return rule.at("rule") == "tensor-data-bounds"; });
  ASSERT_NE(overlap, report.at("rules").end()) << "the naive loader never looks at the data";
  EXPECT_GT(overlap->at("load"), 0);
}

TEST(AttackTest, MustLoadIsNotAlwaysFulfilled) {
  const CommandResult result = RunAttack(kNaive, {"--must-load", "--count", "500"});
  EXPECT_EQ(result.exit_code, 1) << "the naive loader refuses version 2";
  EXPECT_THAT(result.out, HasSubstr("of the files that the gate accepts do not load"));
}

// The gate's results for the mutants of a seed, and their number. It excludes whether the memory
// bug crashes the naive loader, because that depends on the addresses of the heap.
nlohmann::json WithoutFaults(const nlohmann::json& report) {
  nlohmann::json out = {{"mutants", report.at("mutants")}};
  for (const char* verdict : {"accepted", "rejected"}) {
    int files = 0;
    for (const nlohmann::json& outcome : report.at(verdict)) files += outcome.get<int>();
    out[verdict] = files;
  }
  for (const nlohmann::json& rule : report.at("rules"))
    out["rules"][rule.at("rule")] = rule["files"];
  return out;
}

TEST(AttackTest, TheSameSeedGivesTheSameMutants) {
  const TempFolder folder;
  for (const char* name : {"a", "b", "c"}) {
    RunAttack(kNaive, {"--alone", "--count", "300", "--seed", name == std::string("c") ? "6" : "5",
                       "--json", folder.Path(name)});
  }
  const nlohmann::json a = WithoutFaults(Json(folder.Path("a")));
  EXPECT_EQ(a, WithoutFaults(Json(folder.Path("b"))));
  EXPECT_NE(a, WithoutFaults(Json(folder.Path("c")))) << "another seed, other mutants";
}

TEST(AttackTest, WrongUsageIsToldBeforeAnythingIsDone) {
  const TempFolder folder;
  struct Wrong {
    std::vector<std::string> arguments;
    std::string told;
  };
  const std::vector<Wrong> wrong = {
      {{"--count", "0"}, "--count needs a whole number of at least 1, not \"0\""},
      {{"--count", "1x"}, "--count needs a whole number of at least 1, not \"1x\""},
      {{"--mode", "none"}, "reduce or all, not \"none\""},
      {{"--profile", "x"}, "--profile is gate, llama.cpp, spec or diffusion, not \"x\""},
      {{"--data", "x"}, "--data is none, scales or full, not \"x\""},
      {{"--loader", "x"}, "--loader is naive, not \"x\""},
      {{"--what"}, "there is no option \"--what\""},
      {{"--memory", "0"}, "--memory needs a whole number from 1 to 1000000, not \"0\""},
      {{"--out", folder.Path("absent/kept")}, "cannot make this folder for --out"},
      {{folder.Path("absent.gguf")}, "cannot read this seed"},
      {{"--max-size", "0"}, "--max-size needs a whole number from 1 to 16777216, not \"0\""},
      {{"--patience", "99999999999999999999"}, "--patience needs a whole number from 1 to"}};
  for (const Wrong& one : wrong) {
    const CommandResult result = RunAttack(kNaive, one.arguments);
    EXPECT_EQ(result.exit_code, 2) << one.told;
    EXPECT_EQ(result.out, "") << one.told;
    EXPECT_THAT(result.error, HasSubstr(one.told));
    EXPECT_THAT(result.error, HasSubstr(" --help'.\n")) << one.told;
  }
  const CommandResult none = RunProgram(kNaive, {});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.error, HasSubstr("no SEED is given"));
  EXPECT_THAT(RunProgram(kNaive, {"--count"}).error, HasSubstr("--count needs a value"));
  EXPECT_EQ(RunProgram(kNaive, {"--help"}).exit_code, 0);
}

class AttackReferenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string library = GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64/libggml-base.so";
    if (!std::filesystem::exists(library)) {
      GTEST_SKIP() << "no reference library: scripts/fetch-reference fetches it";
    }
  }
};

// The reference loads each mutant of any mode that profile llama.cpp accepts.
TEST_F(AttackReferenceTest, WhatIsAcceptedLoads) {
  for (const char* loader : {"context", "metadata"}) {
    const CommandResult result =
        RunAttack(kLlamaCpp, {"--must-load", "--profile", "llama.cpp", "--mode", "all", "--count",
                              "3000", "--loader", loader, kCorpus + "/invalid"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("\n0 of the files that the gate accepts do not load\n"));
    EXPECT_THAT(result.out, Not(HasSubstr("loads                             0")));
  }
}

// RunUntilOneDies runs campaigns with the seeds 1, 2 and so on, until a mutant of one misbehaves.
// The mutants of a seed change with each new mutation.
CommandResult RunUntilOneDies(std::vector<std::string> arguments) {
  CommandResult result;
  arguments.insert(arguments.end(), {"--max-size", "200000", kCorpus + "/valid/sample-llama.gguf"});
  for (int seed = 1; seed <= 8 && result.exit_code <= 0; ++seed) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--seed", std::to_string(seed)});
    result = RunProgram(kLlamaCpp, words);
  }
  return result;
}

void ExpectStages(const nlohmann::json& report) {
  ASSERT_FALSE(report.at("misbehaviour").empty());
  for (const nlohmann::json& sort : report.at("misbehaviour")) {
    EXPECT_NE(sort.at("stage"), "") << sort;
    EXPECT_EQ(sort.at("alone"), true) << sort;
  }
}

// The library refuses some of these mutants and crashes on others.
TEST_F(AttackReferenceTest, RunTellsTheStageThatItDiedAt) {
  const TempFolder folder;
  const CommandResult result = RunUntilOneDies(
      {"--loader", "run", "--count", "400", "--mode", "all", "--json", folder.Path("report.json")});
  if (result.error.find(": not built: ") != std::string::npos) GTEST_SKIP() << result.error;
  EXPECT_EQ(result.exit_code, 1) << result.error;
  const nlohmann::json report = Json(folder.Path("report.json"));
  EXPECT_GE(report.at("children"), 400) << "each alone";
  EXPECT_GT(report.at("accepted").at("loads"), 0);
  ExpectStages(report);
}

// Any build, without its headers: here that of the reference.
TEST_F(AttackReferenceTest, ALibraryIsNamedByItsPath) {
  const std::string folder = GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64";
  std::string library;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libllama.") && name.ends_with(".so")) library = entry.path().string();
  }
  const TempFolder reports;
  const CommandResult result = RunUntilOneDies({"--loader", library, "--count", "60", "--mode",
                                                "one-lie", "--json", reports.Path("report.json")});
  if (result.error.find("without rehearsals") != std::string::npos) GTEST_SKIP() << result.error;
  EXPECT_EQ(result.exit_code, 1) << result.error;
  const nlohmann::json report = Json(reports.Path("report.json"));
  EXPECT_GE(report.at("children"), 60) << "each alone";
  EXPECT_GT(report.at("rejected").at("refuses"), 0);
  ExpectStages(report);
}

TEST(AttackTest, ALibraryThatIsNotThereIsWrongUsage) {
  const CommandResult absent = RunAttack(kLlamaCpp, {"--loader", "/nowhere/libllama.so"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.error, HasSubstr("--loader"));
  const CommandResult naive = RunAttack(kNaive, {"--loader", "/nowhere/libllama.so"});
  EXPECT_EQ(naive.exit_code, 2);
  EXPECT_THAT(naive.error, HasSubstr("--loader is naive, not \"/nowhere/libllama.so\""));
}

TEST(AttackTest, ALoaderThatIsNotThereIsNotPassedOver) {
  CommandOptions options;
  options.environment = {"GGUFGATE_GGML=/nowhere/libggml-base.so"};
  const CommandResult result = RunProgram(kLlamaCpp, {kCorpus + "/valid"}, options);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.error, HasSubstr("scripts/fetch-reference"));
}

}  // namespace
}  // namespace ggufgate::testing
