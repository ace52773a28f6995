#include "cli/dequantize/refusal.h"

#include <algorithm>

#include "check/rule.h"
#include "gate/judge.h"
#include "report/reporter.h"

namespace ggufgate {
namespace {

// SaysWhereDataLie tells of a rule without which nobody knows where the data lie, or whose they
// are.
bool SaysWhereDataLie(const Finding& finding) {
  switch (RuleOf(finding.rule).family) {
    case Family::kContainer:
    case Family::kTensorDirectory:
    case Family::kDataLayout:
    case Family::kResources:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<int> RefusedFor(const Input& input, const std::string& path, bool despite_findings,
                              const Streams& streams) {
  JudgeOptions judge;
  judge.policy.target = TargetOrder::kAny;
  const FileReport report = JudgeInput(input, path, judge);
  if (report.verdict == Verdict::kAccept) return std::nullopt;
  const ReportStyle style{.colour = false, .quiet = true, .verbose = false};
  const auto reporter = MakeReporter(Format::kText, judge.policy, style, streams.error);
  reporter->Add(report);
  reporter->Finish();
  if (report.verdict == Verdict::kUndecided) return kExitUndecided;

  const bool lost = std::ranges::any_of(report.findings.list, [](const Finding& finding) {
    return finding.severity == Severity::kError && SaysWhereDataLie(finding);
  });
  if (!lost && despite_findings) return std::nullopt;
  streams.error << "ggufgate: the tensor was not decoded"
                << (lost ? "\n" : "; --despite-findings decodes it anyway\n");
  return kExitReject;
}

}  // namespace ggufgate
