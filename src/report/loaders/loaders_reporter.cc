// Format loaders: a table for each file, with its outcome in each loader.

#include "report/loaders/outcomes.h"
#include "report/reporter.h"
#include "words/escape.h"

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
    OutcomesTable(OutcomesIn(report.findings, report.verdict, policy_)).Print(out_, style_.columns);
  }

 private:
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
