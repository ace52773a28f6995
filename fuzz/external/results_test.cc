#include "fuzz/external/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

namespace ggufgate::external {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Case CaseOf(std::uint64_t number, std::vector<std::string> rules) {
  return {.number = number,
          .mode = "one-lie",
          .mutations = {"header-magic"},
          .rules = std::move(rules)};
}

constexpr Answer Plain(Outcome outcome) { return {.outcome = outcome, .words = {}}; }

Answer Crash(std::string words, int signal = SIGABRT) {
  return {.outcome = Outcome::kCrashes, .signal = signal, .words = std::move(words)};
}

TEST(ResultsTest, CountsByRuleAndByRuleAlone) {
  Results results;
  EXPECT_FALSE(results.Add(CaseOf(0, {"magic", "version"}), Plain(Outcome::kLoads)));
  EXPECT_FALSE(results.Add(CaseOf(1, {"magic"}), Plain(Outcome::kLoads)));
  EXPECT_FALSE(results.Add(CaseOf(2, {"magic"}), Plain(Outcome::kRefuses)));
  EXPECT_TRUE(results.Add(CaseOf(3, {"version"}), Crash("")));
  ASSERT_EQ(results.rules().size(), 2U);
  const RuleTally& magic = results.rules().at(0);
  EXPECT_EQ(magic.rule, "magic");
  EXPECT_EQ(magic.rejected, 3U);
  EXPECT_EQ(magic.loads, 2U);
  EXPECT_EQ(magic.loads_alone, 1U);
  EXPECT_EQ(magic.dies, 0U);
  EXPECT_EQ(results.rules().at(1).dies, 1U);
  EXPECT_EQ(results.deaths(), 1U);
  EXPECT_EQ(results.unloaded(), 0U);
}

TEST(ResultsTest, DeathsInOnePlaceAreOneSort) {
  Results results;
  EXPECT_TRUE(results.Add(CaseOf(0, {"magic"}), Crash("a.c:12: Assertion `n < 7' failed\n")));
  EXPECT_FALSE(results.Add(CaseOf(1, {}), Crash("a.c:12: Assertion `n < 9' failed\n")));
  EXPECT_TRUE(results.Add(CaseOf(2, {}), Crash("b.c:12: Assertion `n < 9' failed\n")));
  EXPECT_TRUE(results.Add(CaseOf(3, {}), Crash("b.c:12: Assertion `n < 9' failed\n", SIGSEGV)));
  ASSERT_EQ(results.sorts().size(), 3U);
  EXPECT_EQ(results.sorts().at(0).count, 2U);
  EXPECT_EQ(results.sorts().at(0).accepted, 1U);
  EXPECT_EQ(results.sorts().at(0).first.number, 0U);
}

TEST(ResultsTest, ARefusalIsMisbehaviourOnlyWhereTheGateAccepts) {
  Results results;
  EXPECT_FALSE(results.Add(CaseOf(0, {"magic"}), Plain(Outcome::kRefuses)));
  EXPECT_EQ(results.unloaded(), 0U);
  EXPECT_TRUE(results.Add(CaseOf(1, {}), Plain(Outcome::kRefuses)));
  EXPECT_EQ(results.unloaded(), 1U);
  EXPECT_EQ(results.deaths(), 0U);
}

TEST(ResultsTest, LastLineSaysMost) {
  EXPECT_EQ(LastLine(""), "");
  EXPECT_EQ(LastLine("first\nlast\n\n"), "last");
  EXPECT_EQ(LastLine("x\n==1==ERROR: AddressSanitizer: heap-buffer-overflow\n  #0 0x12\n"),
            "==#==ERROR: AddressSanitizer: heap-buffer-overflow");
  EXPECT_EQ(LastLine("tensor 17 at 0xfe12"), "tensor # at #");
}

Frame AFrame() {
  return {.loader = "mine", .profile = "gate", .mode = "mixed", .seed = 7, .seconds = 2};
}

TEST(ResultsTest, TheTextIsForATerminal) {
  Results results;
  results.Add(CaseOf(5, {"magic"}), Crash("a\x1b[2Jb\u202E\n"));
  const std::string text = TextOf(results, AFrame());
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  EXPECT_THAT(text, HasSubstr("crashes, SIGABRT: 1 files, 0 of them accepted"));
  EXPECT_THAT(text, HasSubstr("first: mutant 5, one-lie: header-magic; gate: magic"));
}

TEST(ResultsTest, RulesWhoseFilesAreAllRefusedAreCounted) {
  Results results;
  results.Add(CaseOf(0, {"magic"}), Plain(Outcome::kRefuses));
  results.Add(CaseOf(1, {"version"}), Plain(Outcome::kLoads));
  const std::string text = TextOf(results, AFrame());
  EXPECT_THAT(text, Not(HasSubstr("magic ")));
  EXPECT_THAT(text, HasSubstr("\nversion "));
  EXPECT_THAT(text, HasSubstr("1 more rules, all of whose files it refuses"));
}

TEST(ResultsTest, TheJsonSaysTheSame) {
  Results results;
  results.Add(CaseOf(0, {"magic"}), Plain(Outcome::kLoads));
  results.Add(CaseOf(1, {}), Crash("not UTF-8: \xff\n"));
  const auto json = nlohmann::json::parse(JsonOf(results, AFrame()));
  EXPECT_EQ(json.at("schema"), "ggufgate.attack/1");
  EXPECT_EQ(json.at("mutants"), 2);
  EXPECT_EQ(json.at("rejected").at("loads"), 1);
  EXPECT_EQ(json.at("accepted").at("crashes"), 1);
  EXPECT_EQ(json.at("rules").at(0).at("rule"), "magic");
  EXPECT_EQ(json.at("rules").at(0).at("load_alone"), 1);
  EXPECT_EQ(json.at("misbehaviour").at(0).at("signal"), SIGABRT);
  EXPECT_EQ(json.at("misbehaviour").at(0).at("says"), "not UTF-#: \\xff");
  EXPECT_THAT(json.at("misbehaviour").at(0).at("mutations"), ElementsAre("header-magic"));
}

}  // namespace
}  // namespace ggufgate::external
