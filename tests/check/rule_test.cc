// The rule catalogue as a whole.

#include "check/rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "check/cause/cause.h"
#include "check/faults.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rules/rule_place.h"
#include "tests/support/texts/patterns.h"

namespace ggufgate::testing {
namespace {

TEST(Rules, HaveUniqueHyphenatedSlugs) {
  std::set<std::string_view> slugs;
  for (const Rule& rule : AllRules()) {
    EXPECT_THAT(std::string(rule.slug), MatchesRegex("[a-z][a-z0-9]*(-[a-z0-9]+)*"));
    EXPECT_TRUE(slugs.insert(rule.slug).second) << rule.slug;
  }
}

TEST(Rules, AreFoundBySlugAndById) {
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(FindRule(rule.slug), &rule);
    EXPECT_EQ(&RuleOf(rule.id), &rule);
  }
  EXPECT_EQ(FindRule(""), nullptr);
  EXPECT_EQ(FindRule("no-such-rule"), nullptr);
  EXPECT_EQ(FindRule("Magic"), nullptr);
}

TEST(Rules, ExplainThemselves) {
  for (const Rule& rule : AllRules()) {
    SCOPED_TRACE(RuleTable(rule) + ": the sentences of the block, in the order of its neighbours'");
    EXPECT_THAT(rule.what, Not(IsEmpty()));
    EXPECT_THAT(rule.why, Not(IsEmpty()));
    EXPECT_THAT(rule.repair, Not(IsEmpty()));
    EXPECT_THAT(rule.messages, Not(IsEmpty()));
    EXPECT_THAT(rule.loaders, Not(IsEmpty()));
    EXPECT_THAT(WordFor(rule.family), Not(IsEmpty()));
    for (const std::string_view sentence : {rule.what, rule.why, rule.repair, rule.loaders}) {
      EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with(".)")) << sentence;
    }
    EXPECT_NE(rule.SeverityIn(Profile::kGate), Severity::kOff);
  }
}

TEST(Rules, NameReportsInOneForm) {
  const std::string form = "(CVE-[0-9]{4}-[0-9]{4,}|GHSA(-[0-9a-z]{4}){3}|[A-Za-z0-9_.-]+#[0-9]+)";
  for (const Rule& rule : AllRules()) {
    EXPECT_THAT(std::string(rule.reports), MatchesRegex("(" + form + "(, " + form + ")*)?"))
        << rule.slug;
  }
}

TEST(Rules, MessagesAreWellFormed) {
  const std::string placeholder =
      "\\{((observed|allowed|other|excess)(:(bytes|hex|plain|index|in [a-z ]+s))?|release)\\}";
  for (const Rule& rule : AllRules()) {
    SCOPED_TRACE(rule.slug);
    for (const std::string_view message : rule.messages) {
      const std::string rest = ReplaceAll(std::string(message), placeholder, "");
      EXPECT_EQ(rest.find_first_of("{}"), std::string::npos) << rest;
    }
  }
}

// Faults at which parsing stops have no lower severity: they are errors in every profile.
TEST(Rules, WithoutAFunctionAreErrorsEverywhere) {
  for (const Rule& rule : AllRules()) {
    if (rule.check != nullptr) continue;
    for (const Profile profile :
         {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec, Profile::kDiffusion}) {
      EXPECT_EQ(rule.SeverityIn(profile), Severity::kError) << rule.slug;
    }
  }
}

TEST(Rules, AreBrokenByAFaultOrHaveAFunction) {
  std::set<RuleId> by_fault;
  for (int kind = 0; kind <= static_cast<int>(FaultKind::kArrayStrings); ++kind) {
    by_fault.insert(RuleFor(static_cast<FaultKind>(kind)));
  }
  for (const Rule& rule : AllRules()) {
    if (IsOutsideFiles(rule.family)) continue;  // broken by something outside a file
    EXPECT_TRUE(rule.check != nullptr || by_fault.contains(rule.id))
        << RuleTable(rule)
        << ": write Check and the name of the block in place of nullptr, and the "
        << "function in a .cc beside the table";
  }
}

TEST(Causes, SayWhatHappenedAndWhatToDo) {
  const std::string placeholder = "\\{(a|b|a:bytes|b:bytes|other)\\}";
  for (int i = 1; i <= static_cast<int>(Cause::Kind::kUnknownType); ++i) {
    const CauseInfo& info = InfoOf(static_cast<Cause::Kind>(i));
    EXPECT_THAT(std::string(info.slug), MatchesRegex("[a-z0-9]+(-[a-z0-9]+)*"));
    EXPECT_THAT(info.happened, Not(IsEmpty()));
    EXPECT_THAT(info.advice, Not(IsEmpty()));
    const std::string rest = ReplaceAll(std::string(info.happened), placeholder, "");
    EXPECT_EQ(rest.find_first_of("{}"), std::string::npos) << rest;
  }
  EXPECT_FALSE(Cause{});
  EXPECT_TRUE(Cause{.kind = Cause::Kind::kHtml});
}

TEST(Severities, HaveWords) {
  EXPECT_EQ(WordFor(Severity::kOff), "off");
  EXPECT_EQ(WordFor(Severity::kNote), "note");
  EXPECT_EQ(WordFor(Severity::kWarning), "warning");
  EXPECT_EQ(WordFor(Severity::kError), "error");
}

}  // namespace
}  // namespace ggufgate::testing
