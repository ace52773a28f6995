// Format text: one line a file, its findings under it, and what probably happened.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/pages/file_line.h"
#include "report/reporter.h"
#include "report/terminal/paint.h"
#include "report/terminal/wrap.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

class TextReporter final : public Reporter {
 public:
  TextReporter(const ReportStyle& style, std::ostream& out)
      : style_(style), paint_(style.colour), out_(out) {}

  void Add(const FileReport& report) override {
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    const std::string path = EscapeText(report.path);
    switch (report.verdict) {
      case Verdict::kAccept:
        out_ << paint_.Good("ok") << "      ";
        Put(path + "   " + FileLine(report) + "   " + paint_.Quiet(HumanTime(report.elapsed)),
            kPathColumn, kPathColumn);
        break;
      case Verdict::kReject:
        out_ << paint_.Bad("reject") << "  ";
        Put(path, kPathColumn, kPathColumn);
        break;
      case Verdict::kUndecided:
        out_ << paint_.Doubtful("undecided") << "  ";
        Put(path + ": " + EscapeText(std::string(report.problem.message())),
            std::string_view("undecided  ").size(), kPathColumn);
        break;
    }
    if (report.verdict != Verdict::kUndecided) AddFindings(report.findings);
  }

 private:
  static constexpr std::size_t kPathColumn = 8;

  // Put prints text that stands at column `first`, and under `indent` where it is wrapped.
  void Put(std::string_view text, std::size_t first, std::size_t indent) {
    out_ << WrappedUnder(text, first, indent, style_.columns) << '\n';
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
    const std::size_t indent = offset.size() + 4;
    const std::size_t first = indent + word.size() + 1;
    const std::string blanks(indent, ' ');
    if (finding.suppression) {
      out_ << "  " << paint_.Quiet(offset + "  " + word) << ' ';
      PutQuietly(message, first, indent);
      out_ << blanks;
      PutQuietly("suppressed: " + EscapeText(*finding.suppression), indent, indent);
      return;
    }
    out_ << "  " << offset << "  "
         << (finding.severity == Severity::kError ? paint_.Bad(word) : paint_.Doubtful(word))
         << ' ';
    Put(message, first, indent);
    if (!finding.cause) return;
    out_ << blanks;
    Put(absl::StrCat(CauseText(finding.cause), "; ", std::string(AdviceFor(finding.cause))), indent,
        indent);
  }

  void PutQuietly(std::string_view text, std::size_t first, std::size_t indent) {
    out_ << paint_.Quiet(WrappedUnder(text, first, indent, style_.columns)) << '\n';
  }

  // What was found beyond the number that is kept for each rule.
  void AddOverflow(const Findings& findings) {
    for (const Unlisted& unlisted : UnlistedIn(findings)) {
      out_ << "  … and " << Grouped(unlisted.count) << " more of " << unlisted.rule
           << (unlisted.suppressed ? ", suppressed" : "") << '\n';
    }
  }

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
  return std::make_unique<TextReporter>(style, out);
}

}  // namespace ggufgate
