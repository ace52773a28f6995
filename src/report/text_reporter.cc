// Format text: one line a file, its findings under it, and what probably happened.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/paint.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// SummaryText is "llama 1.2B, Q4_K mostly, 147 tensors, 807 MB".
std::string SummaryText(const Summary& summary, std::uint64_t bytes) {
  std::string text =
      summary.architecture.empty() ? "no architecture" : EscapeText(summary.architecture);
  if (summary.tensors == 0) {
    absl::StrAppend(&text, ", no tensors");
  } else {
    absl::StrAppend(&text, summary.architecture.empty() ? ", " : " ",
                    HumanCount(summary.parameters));
    absl::StrAppend(&text, ", ", summary.main_type, summary.mixed_types ? " mostly" : "");
    absl::StrAppend(&text, ", ", Grouped(summary.tensors),
                    summary.tensors == 1 ? " tensor" : " tensors");
  }
  return absl::StrCat(text, ", ", HumanBytes(bytes));
}

class TextReporter final : public Reporter {
 public:
  TextReporter(const Policy& policy, const ReportStyle& style, std::ostream& out)
      : data_(policy.data), style_(style), paint_(style.colour), out_(out) {}

  void Add(const FileReport& report) override {
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    const std::string path = EscapeText(report.path);
    switch (report.verdict) {
      case Verdict::kAccept:
        out_ << paint_.Good("ok") << "      " << path << "   "
             << SummaryText(report.summary, report.identity.size) << DataText() << "   "
             << paint_.Quiet(HumanTime(report.elapsed)) << '\n';
        break;
      case Verdict::kReject:
        out_ << paint_.Bad("reject") << "  " << path << '\n';
        break;
      case Verdict::kUndecided:
        out_ << paint_.Doubtful("undecided") << "  " << path << ": "
             << EscapeText(std::string(report.problem.message())) << '\n';
        break;
    }
    if (report.verdict != Verdict::kUndecided) AddFindings(report.findings);
  }

 private:
  // DataText says how much of the data was judged, to those who want to know everything.
  [[nodiscard]] std::string DataText() const {
    if (!style_.verbose) return "";
    return absl::StrCat(", data: ",
                        std::string(kDataScanWords.at(static_cast<std::size_t>(data_))));
  }

  void AddFindings(const Findings& findings) {
    std::uint64_t notes = 0;
    for (const Finding& finding : findings.list) {
      if (finding.severity == Severity::kNote && !style_.verbose) {
        ++notes;
      } else {
        AddFinding(finding);
      }
    }
    AddOverflow(findings);
    if (notes > 0 && !style_.quiet) {
      out_ << "  "
           << paint_.Quiet(absl::StrCat(Grouped(notes), notes == 1 ? " note" : " notes",
                                        " (--verbose shows them)"))
           << '\n';
    }
  }

  void AddFinding(const Finding& finding) {
    const std::string word = absl::StrCat(std::string(WordFor(finding.severity)), "[",
                                          std::string(RuleOf(finding.rule).slug), "]");
    const std::string offset = absl::StrFormat("0x%x", finding.where.begin);
    const std::string path = PathFor(finding.subject);
    const std::string message = (path.empty() ? "" : path + ": ") + MessageFor(finding);
    const std::string indent(offset.size() + 4, ' ');
    if (finding.suppression) {
      out_ << "  " << paint_.Quiet(absl::StrCat(offset, "  ", word, " ", message)) << '\n'
           << indent << paint_.Quiet("suppressed: " + EscapeText(*finding.suppression)) << '\n';
      return;
    }
    out_ << "  " << offset << "  "
         << (finding.severity == Severity::kError ? paint_.Bad(word) : paint_.Doubtful(word)) << ' '
         << message << '\n';
    if (!finding.cause) return;
    out_ << indent << CauseText(finding.cause) << "; " << AdviceFor(finding.cause) << '\n';
  }

  // What was found beyond the number that is kept for each rule.
  void AddOverflow(const Findings& findings) {
    for (const Unlisted& unlisted : UnlistedIn(findings)) {
      out_ << "  … and " << Grouped(unlisted.count) << " more of " << unlisted.rule
           << (unlisted.suppressed ? ", suppressed" : "") << '\n';
    }
  }

  DataScan data_;
  ReportStyle style_;
  Paint paint_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> MakeTextReporter(const Policy& policy, const ReportStyle& style,
                                           std::ostream& out) {
  if (style.verbose && !policy.source.empty()) {
    out << "policy  " << EscapeText(policy.source) << ", profile "
        << kProfileWords.at(static_cast<std::size_t>(policy.profile)) << '\n';
  }
  return std::make_unique<TextReporter>(policy, style, out);
}

}  // namespace ggufgate
