#include "tests/support/judge.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "bytes/memory_source.h"

namespace ggufgate::testing {

std::vector<std::string> Judged::Rules(Severity at_least) const {
  std::vector<std::string> slugs = AllRules(at_least);
  std::erase(slugs, RuleOf(RuleId::kArchitectureMissing).slug);
  std::erase(slugs, RuleOf(RuleId::kQuantizationVersionMissing).slug);
  return slugs;
}

std::vector<std::string> Judged::AllRules(Severity at_least) const {
  std::vector<std::string> slugs;
  for (const Finding& finding : checked.findings.list) {
    if (finding.severity >= at_least) slugs.emplace_back(RuleOf(finding.rule).slug);
  }
  std::ranges::sort(slugs);
  slugs.erase(std::unique(slugs.begin(), slugs.end()), slugs.end());
  return slugs;
}

Finding Judged::Only(RuleId rule) const {
  const auto found = std::ranges::find(checked.findings.list, rule, &Finding::rule);
  if (found != checked.findings.list.end()) return *found;
  ADD_FAILURE() << RuleOf(rule).slug << " did not fire";
  return {};
}

Judged Judge(std::vector<std::uint8_t> file, const Policy& policy) {
  Judged judged{.file = std::move(file), .parsed = {}, .checked = {}};
  judged.parsed = Parse(judged.file, judged.file.size(), policy.limits);
  EXPECT_FALSE(judged.parsed.NeedsMore()) << "the whole file is there";
  const MemorySource source(judged.file);
  judged.checked = Check(judged.parsed.document, source, policy);
  return judged;
}

Judged Judge(const Model& model, const Policy& policy) { return Judge(Write(model), policy); }

std::vector<std::string> RulesFired(const Model& model, const Policy& policy) {
  return Judge(model, policy).Rules(Severity::kWarning);
}

Finding SoleFinding(const Model& model, RuleId rule, const Policy& policy) {
  const Judged judged = Judge(model, policy);
  EXPECT_THAT(judged.Rules(Severity::kWarning), ::testing::ElementsAre(RuleOf(rule).slug));
  return judged.Only(rule);
}

}  // namespace ggufgate::testing
