#include "check/verdict.h"

#include <gtest/gtest.h>

#include <array>

#include "check/finding.h"
#include "check/policy.h"
#include "check/rule.h"

namespace ggufgate {
namespace {

constexpr auto kRule = RuleId::kKeyCharacters;
constexpr std::array kReported = {Severity::kNote, Severity::kWarning, Severity::kError};

// One returns a single finding of this severity.
Findings One(Severity severity, std::uint64_t suppressed = 0) {
  Findings findings;
  findings.list = {{.rule = kRule, .severity = severity}};
  if (suppressed > 0) findings.list.front().suppression = "seen";
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  findings.totals.at(static_cast<std::size_t>(kRule)) = 1;
  findings.suppressed.at(static_cast<std::size_t>(kRule)) = suppressed;
  return findings;
}

TEST(Verdict, WhatReachesTheThresholdRejects) {
  for (const Severity fail_on : kReported) {
    const Policy policy{.fail_on = fail_on};
    for (const Severity severity : kReported) {
      const Verdict expected = severity < fail_on ? Verdict::kAccept : Verdict::kReject;
      EXPECT_EQ(VerdictOf(One(severity), policy), expected) << WordFor(severity);
      EXPECT_EQ(Rejects(severity, policy), expected == Verdict::kReject) << WordFor(severity);
    }
  }
}

TEST(Verdict, NothingAndSuppressedFindingsAccept) {
  for (const Severity fail_on : kReported) {
    const Policy policy{.fail_on = fail_on};
    EXPECT_EQ(VerdictOf({}, policy), Verdict::kAccept);
    EXPECT_EQ(VerdictOf(One(Severity::kError, 1), policy), Verdict::kAccept);
  }
}

TEST(Verdict, ARuleRejectsByTheSeverityThatThePolicyGivesIt) {
  Policy policy;
  EXPECT_TRUE(Rejects(kRule, policy));
  policy.severities = {{.rule = kRule, .severity = Severity::kWarning}};
  EXPECT_FALSE(Rejects(kRule, policy));
  policy.fail_on = Severity::kWarning;
  EXPECT_TRUE(Rejects(kRule, policy));
}

TEST(Verdict, WordsAreThoseOfTheReportSchema) {
  EXPECT_EQ(WordFor(Verdict::kAccept), "accept");
  EXPECT_EQ(WordFor(Verdict::kReject), "reject");
  EXPECT_EQ(WordFor(Verdict::kUndecided), "undecided");
}

TEST(Verdict, ABlankOneIsNotAccept) {
  // An invalid number has no word, and certainly not "accept".
  EXPECT_EQ(WordFor(static_cast<Verdict>(3)), "");
}

}  // namespace
}  // namespace ggufgate
