#include "check/rules/weakness.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <string>

#include "check/rule.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate {
namespace {

// Metric returns one metric of a vector: 'H' for "…/C:H/…".
char Metric(std::string_view vector, const std::string& name) {
  const std::size_t at = vector.find("/" + name + ":");
  return at == std::string_view::npos ? '?' : vector.at(at + name.size() + 2);
}

// BaseScore for an unchanged scope. Source: FIRST, "Common Vulnerability Scoring System v3.1:
// Specification Document", 7.1 and 7.4; Roundup as in its appendix A.
double BaseScore(std::string_view vector) {
  const std::map<char, double> impact = {{'H', 0.56}, {'L', 0.22}, {'N', 0}};
  const double sub = 1 - (1 - impact.at(Metric(vector, "C"))) *
                             (1 - impact.at(Metric(vector, "I"))) *
                             (1 - impact.at(Metric(vector, "A")));
  const double access =
      std::map<char, double>{{'N', 0.85}, {'A', 0.62}, {'L', 0.55}, {'P', 0.2}}.at(
          Metric(vector, "AV"));
  const double complexity =
      std::map<char, double>{{'L', 0.77}, {'H', 0.44}}.at(Metric(vector, "AC"));
  const double privileges =
      std::map<char, double>{{'N', 0.85}, {'L', 0.62}, {'H', 0.27}}.at(Metric(vector, "PR"));
  const double user = std::map<char, double>{{'N', 0.85}, {'R', 0.62}}.at(Metric(vector, "UI"));
  if (sub <= 0) return 0;
  const double exact = std::min(6.42 * sub + 8.22 * access * complexity * privileges * user, 10.0);
  const auto whole = std::lround(exact * 100'000);
  return whole % 10'000 == 0 ? static_cast<double>(whole) / 100'000
                             : static_cast<double>(whole / 10'000 + 1) / 10;
}

TEST(Consequence, ScoreFollowsFromTheVector) {
  for (const ConsequenceInfo& info : kConsequences) {
    if (info.vector.empty()) continue;
    EXPECT_TRUE(info.vector.starts_with("CVSS:3.1/")) << info.vector;
    EXPECT_EQ(Metric(info.vector, "S"), 'U');
    EXPECT_DOUBLE_EQ(BaseScore(info.vector), std::stod(std::string(info.score))) << info.word;
  }
  // An example that FIRST scores itself: CVE-2013-1937 has another scope, and so does
  // CVE-2012-5376; this is CVE-2009-0783 of "CVSS v3.1 Examples".
  EXPECT_DOUBLE_EQ(BaseScore("CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L"), 4.2);
}

TEST(Consequence, WorseOnesScoreNoLess) {
  for (std::size_t i = 2; i < kConsequences.size(); ++i) {
    EXPECT_GE(kConsequences.at(i).score, kConsequences.at(i - 1).score);
  }
}

TEST(Weakness, HasBothNumberAndConsequenceOrNeither) {
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(rule.weakness.any(), rule.weakness.consequence != Consequence::kNone)
        << testing::RuleTable(rule)
        << ": GGUFGATE_WEAKNESS(NAME, CWE NUMBER, kCONSEQUENCE) above the block";
  }
}

TEST(Weakness, IsKnownOfEveryRuleThatWouldHaveStoppedAVulnerability) {
  for (const Rule& rule : AllRules()) {
    const bool published = rule.reports.find("CVE-") != std::string_view::npos ||
                           rule.reports.find("GHSA-") != std::string_view::npos;
    EXPECT_TRUE(rule.weakness.any() || !published)
        << testing::RuleTable(rule)
        << ": add GGUFGATE_WEAKNESS(NAME, CWE NUMBER, kCONSEQUENCE) above the block";
  }
}

TEST(Weakness, IsThatOfItsOwnRule) {
  EXPECT_EQ(RuleOf(RuleId::kTensorElementsOverflow).weakness.cwe, 190);
  EXPECT_EQ(RuleOf(RuleId::kTemplateInjection).weakness.consequence, Consequence::kCode);
  EXPECT_FALSE(RuleOf(RuleId::kMagic).weakness.any());
}

}  // namespace
}  // namespace ggufgate
