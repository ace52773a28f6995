// Format loaders: a table for each file, with its outcome in each loader.

#include "report/reporter.h"
#include "report/table.h"
#include "report/terminal/paint.h"
#include "words/escape.h"
#include "words/loader_outcomes.h"
#include "words/message.h"

namespace ggufgate {
namespace {

class LoadersReporter final : public Reporter {
 public:
  LoadersReporter(const Policy& policy, const ReportStyle& style, std::ostream& out)
      : policy_(policy), style_(style), out_(out) {}

  void Add(const FileReport& report) override {
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    out_ << WithoutCommand(EscapeText(report.path));
    if (report.verdict == Verdict::kUndecided) {
      out_ << ": " << EscapeText(std::string(report.problem.message()));
    }
    out_ << '\n';
    Table table(
        {Table::Align::kLeft, Table::Align::kLeft, Table::Align::kLeft, Table::Align::kLeft});
    for (const OutcomeInLoader& one : OutcomesIn(report.findings, report.verdict, policy_)) {
      const bool has_reason = one.reason != nullptr;
      table.Add({EscapeText(one.release), std::string(WordFor(one.outcome)),
                 has_reason ? std::string(RuleOf(one.reason->rule).slug) : "",
                 has_reason ? ReasonText(*one.reason, one.release) : ""});
    }
    table.Print(out_, style_.columns);
  }

 private:
  // The row is about one release, so its reason names no other.
  static std::string ReasonText(Finding finding, std::string_view release) {
    if (!finding.releases.empty()) finding.releases = {std::string(release)};
    const std::string path = PathFor(finding.subject);
    return (path.empty() ? "" : path + ": ") + MessageFor(finding);
  }

  Policy policy_;
  ReportStyle style_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> MakeLoadersReporter(const Policy& policy, const ReportStyle& style,
                                              std::ostream& out) {
  return std::make_unique<LoadersReporter>(policy, style, out);
}

}  // namespace ggufgate
