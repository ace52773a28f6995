#include "cli/repair/repair_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "check/rule.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

void PrintLine(std::string_view head, std::string_view slug, const std::string& text,
               std::ostream& out) {
  constexpr std::size_t kHead = 8;
  out << head << std::string(kHead - std::min(kHead, head.size()), ' ') << slug << "  " << text
      << '\n';
}

void PrintReason(std::string_view reason, std::ostream& out) {
  constexpr std::string_view kIndent = "        ";
  out << kIndent << "why: " << reason << '\n';
}

// PrintFindings prints errors, and warnings that have a reason to stay.
void PrintFindings(const Findings& findings, std::ostream& out) {
  std::vector<std::string_view> printed;
  for (const Finding& finding : findings.list) {
    const auto reason = ReasonToLeave(finding.rule);
    const bool matters = finding.severity == Severity::kError ||
                         (finding.severity == Severity::kWarning && reason.has_value());
    if (!matters) continue;
    printed.push_back(RuleOf(finding.rule).slug);
    PrintLine("left", printed.back(), SentenceFor(finding), out);
    if (reason) PrintReason(*reason, out);
  }
  for (const Unlisted& more : UnlistedIn(findings)) {
    if (std::ranges::find(printed, more.rule) == printed.end()) continue;
    out << "        … and " << Grouped(more.count) << " more of " << more.rule << '\n';
  }
}

}  // namespace

void PrintChanges(const RepairPlan& plan, std::ostream& out) {
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    const Change& change = plan.changes.at(i);
    const RepairInfo& info = InfoOf(change.repair);
    PrintLine("change", info.slug, TextFor(change), out);
    const bool last =
        i + 1 == plan.changes.size() || plan.changes.at(i + 1).repair != change.repair;
    if (last) PrintReason(info.reason, out);
  }
}

void PrintLeft(const Repair& repair, std::ostream& out) {
  for (const Doubt& doubt : repair.plan.doubts) {
    PrintLine("left", RuleOf(RuleOf(doubt)).slug, TextFor(doubt), out);
  }
  PrintFindings(repair.left, out);
}

void PrintRefused(const std::string& path, const Repair& repair, std::ostream& out) {
  PrintLeft(repair, out);
  out << "refused " << EscapeText(path) << "   nothing was written: "
      << (repair.plan.changes.empty() ? "no fault has a certain answer"
                                      : "the result would not be sound")
      << '\n';
}

}  // namespace ggufgate
