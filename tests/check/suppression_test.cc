// Suppressions: the findings that they cover, those that they never cover, and the counts.

#include "check/suppression.h"

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr auto kRule = RuleId::kKeyCharacters;  // an error for each key with a control character

// WithBadKeys has keys "v.0\n", "v.1\n", … and as many "w.…".
Model WithBadKeys(int v, int w) {
  Model model;
  model.Set("general.architecture", "test");
  for (int i = 0; i < v; ++i) model.Set("v." + std::to_string(i) + "\n", std::uint8_t{1});
  for (int i = 0; i < w; ++i) model.Set("w." + std::to_string(i) + "\n", std::uint8_t{1});
  return model;
}

Policy Suppressing(std::vector<Suppression> suppressions) {
  Policy policy;
  policy.suppressions = std::move(suppressions);
  return policy;
}

std::uint64_t SuppressedOf(const Judged& judged, RuleId rule) {
  return judged.checked.findings.suppressed.at(static_cast<std::size_t>(rule));
}

std::size_t Shown(const Judged& judged, bool suppressed) {
  return static_cast<std::size_t>(std::ranges::count_if(
      judged.checked.findings.list,
      [&](const Finding& finding) { return finding.suppression.has_value() == suppressed; }));
}

TEST(Suppression, KeepsTheFindingAndItsReasonButNotItsWeight) {
  const Judged judged = Judge(WithBadKeys(1, 0), Suppressing({{.rule = kRule, .reason = "seen"}}));
  const Finding finding = judged.Only(kRule);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.suppression, "seen");
  EXPECT_EQ(judged.checked.Worst(), Severity::kOff);
  EXPECT_EQ(TotalOf(judged, kRule), 1U);
  EXPECT_EQ(SuppressedOf(judged, kRule), 1U);
}

TEST(Suppression, OfAnotherRuleDoesNothing) {
  const Judged judged =
      Judge(WithBadKeys(1, 0), Suppressing({{.rule = RuleId::kKeyNul, .reason = "seen"}}));
  EXPECT_EQ(judged.Only(kRule).suppression, std::nullopt);
  EXPECT_EQ(judged.checked.Worst(), Severity::kError);
  EXPECT_EQ(SuppressedOf(judged, kRule), 0U);
}

TEST(Suppression, TheFirstThatCoversGivesTheReason) {
  const Policy policy = Suppressing({{.rule = kRule, .reason = "other", .path = "w.*"},
                                     {.rule = kRule, .reason = "first"},
                                     {.rule = kRule, .reason = "second"}});
  EXPECT_EQ(Judge(WithBadKeys(1, 0), policy).Only(kRule).suppression, "first");
}

TEST(Suppression, ByPathCoversOnlyThatPath) {
  const Policy policy = Suppressing({{.rule = kRule, .reason = "seen", .path = "v.0\n"}});
  EXPECT_EQ(Judge(WithBadKeys(1, 0), policy).checked.Worst(), Severity::kOff);
  const Judged judged = Judge(WithBadKeys(2, 0), policy);
  EXPECT_EQ(judged.checked.Worst(), Severity::kError);
  EXPECT_EQ(SuppressedOf(judged, kRule), 1U);
}

TEST(Suppression, HidesNoFindingThatIsNotKept) {
  Policy policy = Suppressing({{.rule = kRule, .reason = "seen", .path = "v.*"}});
  policy.findings_per_rule = 5;
  const Judged all = Judge(WithBadKeys(100, 0), policy);
  EXPECT_EQ(all.checked.Worst(), Severity::kOff) << "all are covered, kept or not";
  EXPECT_EQ(Shown(all, true), 5U);
  EXPECT_EQ(SuppressedOf(all, kRule), 100U);

  const Judged one_more = Judge(WithBadKeys(100, 1), policy);
  EXPECT_EQ(one_more.checked.Worst(), Severity::kError);
  EXPECT_EQ(Shown(one_more, true), 5U);
  EXPECT_EQ(Shown(one_more, false), 1U) << "the one that rejects is shown";
  EXPECT_EQ(TotalOf(one_more, kRule), 101U);
  EXPECT_EQ(SuppressedOf(one_more, kRule), 100U);

  const Judged many_more = Judge(WithBadKeys(1, 100), policy);
  EXPECT_EQ(Shown(many_more, true), 1U);
  EXPECT_EQ(Shown(many_more, false), 5U);
}

TEST(Suppression, CoversNoFault) {
  Policy policy = Suppressing({{.rule = RuleId::kLimitExceeded, .reason = "seen"}});
  policy.limits.array_strings = 0;
  Model model = Model::Minimal();
  model.Set("names", std::vector<std::string>{"a"});
  const Judged fault = Judge(model, policy);
  EXPECT_EQ(fault.Only(RuleId::kLimitExceeded).suppression, std::nullopt);
  EXPECT_EQ(fault.checked.Worst(), Severity::kError);

  // The same with a rule whose violations the parser does not find: tensor elements.
  policy.limits = Limits();
  policy.limits.tensor_elements = 7;
  const Judged finding = Judge(Model::Minimal(), policy);
  EXPECT_EQ(finding.Only(RuleId::kLimitExceeded).suppression, "seen");
  EXPECT_EQ(finding.checked.Worst(), Severity::kOff);
}

TEST(Suppression, LeavesTheCauseToTheFirstErrorThatCounts) {
  std::vector<std::uint8_t> file = Write(WithTensors({96, 96, 96}));
  file.resize(file.size() - 100);
  const Judged plain = Judge(file);
  const std::vector<Finding> findings = FindingsOf(plain, RuleId::kTensorDataBounds);
  ASSERT_THAT(findings, SizeIs(1)) << "the others have the same cause";
  EXPECT_EQ(TotalOf(plain, RuleId::kTensorDataBounds), 2U);
  EXPECT_TRUE(findings.at(0).cause);
  Policy policy;
  policy.suppressions = {
      {.rule = RuleId::kTensorDataBounds, .reason = "seen", .path = findings.at(0).subject.name}};
  const std::vector<Finding> after = FindingsOf(Judge(file, policy), RuleId::kTensorDataBounds);
  ASSERT_THAT(after, SizeIs(2)) << "each may be an exception";
  EXPECT_FALSE(after.at(0).cause);
  EXPECT_TRUE(after.at(1).cause);
}

TEST(Suppression, WithADigestWaitsForIt) {
  const std::string digest(64, 'a');
  const Policy policy = Suppressing({{.rule = kRule, .reason = "seen", .sha256 = digest}});
  const Judged judged = Judge(WithBadKeys(1, 0), policy);
  EXPECT_EQ(judged.checked.Worst(), Severity::kError);
  EXPECT_TRUE(NeedsDigest(policy, judged.checked.findings));
  EXPECT_TRUE(NamesDigest(policy, digest));
  EXPECT_FALSE(NamesDigest(policy, std::string(64, 'b')));
  EXPECT_EQ(Judge(WithBadKeys(1, 0), ForDigest(policy, digest)).checked.Worst(), Severity::kOff);
  EXPECT_THAT(ForDigest(policy, std::string(64, 'b')).suppressions, IsEmpty());

  const Judged sound = Judge(Model::Minimal(), policy);
  EXPECT_FALSE(NeedsDigest(policy, sound.checked.findings)) << "no finding of that rule";
  Policy both = policy;
  both.suppressions.push_back({.rule = kRule, .reason = "all"});
  EXPECT_FALSE(NeedsDigest(both, Judge(WithBadKeys(1, 0), both).checked.findings))
      << "all are suppressed already";
  EXPECT_EQ(ForDigest(both, digest).suppressions.size(), 2U);
  EXPECT_FALSE(NeedsDigest(Policy(), judged.checked.findings));
}

TEST(RecordPath, IsWhatReportsPrint) {
  const auto path = [](Place::Section section, std::uint64_t index, std::string name,
                       std::uint64_t element = Place::kNoElement) {
    return RecordPath(
        {.section = section, .index = index, .name = std::move(name), .element = element});
  };
  using enum Place::Section;
  EXPECT_EQ(path(kFile, 0, ""), "");
  EXPECT_EQ(path(kHeader, 0, ""), "header");
  EXPECT_EQ(path(kMetadata, 3, "a.b"), "a.b");
  EXPECT_EQ(path(kMetadata, 3, ""), "metadata[3]");
  EXPECT_EQ(path(kMetadata, 3, "tokenizer.ggml.tokens", 431), "tokenizer.ggml.tokens[431]");
  EXPECT_EQ(path(kMetadata, 3, "", 4), "metadata[3][4]");
  EXPECT_EQ(path(kTensor, 7, "w"), "w");
  EXPECT_EQ(path(kTensor, 7, ""), "tensor[7]");
  EXPECT_EQ(path(kTensor, 7, "a\nb"), "a\nb") << "as the file has it";
  const std::string cut(Subject::kLongestText, 'n');
  EXPECT_EQ(path(kTensor, 7, cut), cut + "…");
}

TEST(PathMatches, WholeOrByItsBeginning) {
  EXPECT_TRUE(PathMatches("a.b", "a.b"));
  EXPECT_FALSE(PathMatches("a.b", "a.b.c"));
  EXPECT_FALSE(PathMatches("a.b.c", "a.b"));
  EXPECT_TRUE(PathMatches("a.b*", "a.b"));
  EXPECT_TRUE(PathMatches("a.b*", "a.b.c"));
  EXPECT_FALSE(PathMatches("a.b*", "a.c"));
  EXPECT_TRUE(PathMatches("*", ""));
  EXPECT_TRUE(PathMatches("*", "anything"));
  EXPECT_FALSE(PathMatches("*.b", "a.b")) << "a star counts at the end only";
  EXPECT_TRUE(PathMatches("a*b*", "a*b.c"));
}

}  // namespace
}  // namespace ggufgate::testing
