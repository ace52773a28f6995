#include "words/rule_text.h"

#include <string>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

Rule Made() {
  Rule rule = RuleOf(RuleId::kMagic);
  rule.why = "It *breaks* `a_*b` {x}.";
  rule.repair = "Mend _it_ and lower_snake_case.";
  rule.loaders = "";
  rule.reports = "CVE-2024-32878, GHSA-aaaa-bbbb-cccc, llama.cpp#24884";
  return rule;
}

TEST(ReportList, SplitsAtCommas) {
  EXPECT_THAT(ReportList(Made()),
              ElementsAre("CVE-2024-32878", "GHSA-aaaa-bbbb-cccc", "llama.cpp#24884"));
  Rule rule = Made();
  rule.reports = "one";
  EXPECT_THAT(ReportList(rule), ElementsAre("one"));
  rule.reports = "";
  EXPECT_THAT(ReportList(rule), IsEmpty());
}

TEST(RuleText, HasAParagraphForEachThingThatIsKnown) {
  EXPECT_EQ(RuleText(Made()),
            "Why: It *breaks* `a_*b` {x}.\n\nRepair: Mend _it_ and lower_snake_case.\n\n"
            "Published reports: CVE-2024-32878, GHSA-aaaa-bbbb-cccc, llama.cpp#24884");
}

TEST(RuleMarkdown, LinksWhatHasAnAddress) {
  EXPECT_EQ(RuleMarkdown(Made()),
            "**Why:** It \\*breaks\\* `a_*b` {x}.\n\n"
            "**Repair:** Mend \\_it\\_ and lower_snake_case.\n\n"
            "**Published reports:** "
            "[CVE-2024-32878](https://www.cve.org/CVERecord?id=CVE-2024-32878), "
            "[GHSA-aaaa-bbbb-cccc](https://github.com/advisories/GHSA-aaaa-bbbb-cccc), "
            "llama.cpp#24884");
}

TEST(WeaknessText, SaysNumberConsequenceAndScore) {
  Rule rule = Made();
  EXPECT_THAT(WeaknessText(rule), IsEmpty());
  EXPECT_THAT(CweOf(rule), IsEmpty());
  rule.weakness = {.cwe = 190, .consequence = Consequence::kMemory};
  EXPECT_EQ(CweOf(rule), "CWE-190");
  EXPECT_EQ(WeaknessText(rule),
            "CWE-190, memory is corrupted: CVSS score 7.8 of 10 "
            "(CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H)");
  EXPECT_THAT(RuleText(rule), HasSubstr("\n\nWeakness: CWE-190, memory is corrupted"));
  EXPECT_THAT(RuleMarkdown(rule),
              HasSubstr("\n\n**Weakness:** [CWE-190](https://cwe.mitre.org/data/definitions/"
                        "190.html), memory is corrupted"));
}

TEST(RuleMarkdown, OfARuleWithoutReportsHasNone) {
  Rule rule = Made();
  rule.reports = "";
  rule.loaders = "All load.";
  EXPECT_THAT(RuleMarkdown(rule), HasSubstr("**Loaders:** All load."));
  EXPECT_THAT(RuleMarkdown(rule), Not(HasSubstr("Published")));
}

TEST(MarkdownText, EscapesMarkupOutsideCode) {
  EXPECT_EQ(MarkdownText("a < b [c] *d* \\ `<*>`"), "a \\< b \\[c\\] \\*d\\* \\\\ `<*>`");
  EXPECT_EQ(MarkdownText("_a b_c d_"), "\\_a b_c d\\_");
  EXPECT_EQ(MarkdownText(""), "");
}

}  // namespace
}  // namespace ggufgate::testing
