#include "cli/repair/faults_left.h"

#include <algorithm>

#include "check/rule.h"
#include "words/message.h"

namespace ggufgate {

FaultsLeft FaultsLeftBy(const Repair& repair) {
  FaultsLeft left;
  for (const Doubt& doubt : repair.plan.doubts) {
    left.faults.push_back({.rule = RuleOf(RuleOf(doubt)).slug, .text = TextFor(doubt)});
  }
  std::vector<std::string_view> listed;
  for (const Finding& finding : repair.left.list) {
    const auto reason = ReasonToLeave(finding.rule);
    const bool matters = finding.severity == Severity::kError ||
                         (finding.severity == Severity::kWarning && reason.has_value());
    if (!matters) continue;
    listed.push_back(RuleOf(finding.rule).slug);
    left.faults.push_back({.rule = listed.back(), .text = SentenceFor(finding), .reason = reason});
  }
  for (const Unlisted& more : UnlistedIn(repair.left)) {
    if (std::ranges::find(listed, more.rule) == listed.end()) continue;
    left.more.push_back({.rule = more.rule, .count = more.count});
  }
  return left;
}

}  // namespace ggufgate
