// Format markdown: for job summaries and pull requests. GitHub accepts 1 MiB per step and drops a
// larger summary completely, so this one is cut before that, and says so. Source: "Workflow
// commands for GitHub Actions", adding a job summary.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/pages/file_line.h"
#include "report/pages/inert_markdown.h"
#include "report/pages/rule_counts.h"
#include "report/reporter.h"
#include "report/values.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::size_t kMostBytes = 900'000;  // bytes about files; the tables are small
constexpr std::size_t kMostFindings = 100;   // per file
constexpr std::size_t kTextBytes = 600;      // per message; escaping lengthens it at most six times

std::string Inert(std::string_view text) {
  return InertMarkdown(CutText(std::string(text), kTextBytes));
}

class MarkdownReporter final : public Reporter {
 public:
  MarkdownReporter(const ReportStyle& style, std::ostream& out) : style_(style), out_(out) {}

  void Add(const FileReport& report) override {
    counts_.Add(report);
    const std::string told = TextOf(report);
    if (told.empty()) return;
    if (told.size() > kMostBytes - files_.size()) {
      ++left_out_;
    } else {
      files_ += told;
    }
  }

  // The counts come first, so the texts of files are kept until here: at most kMostBytes.
  void Finish() override {
    const std::uint64_t rejected = counts_.files(Verdict::kReject);
    const std::uint64_t undecided = counts_.files(Verdict::kUndecided);
    const std::uint64_t all = counts_.files(Verdict::kAccept) + rejected + undecided;
    out_ << "## ggufgate: " << Grouped(all) << (all == 1 ? " file, " : " files, ")
         << Grouped(counts_.files(Verdict::kAccept)) << " ok, " << Grouped(rejected)
         << " rejected, " << Grouped(undecided) << " undecided\n\n";
    PutRules();
    out_ << files_;
    if (left_out_ > 0) {
      out_ << "**" << Grouped(left_out_) << (left_out_ == 1 ? " more file" : " more files")
           << " with findings did not fit**: a step summary has at most 1 MiB. The other formats "
              "have no limit.\n";
    }
  }

 private:
  void PutRules() {
    const std::vector<RuleCounts::Row> rows = counts_.Rows();
    if (rows.empty()) return;
    out_ << "| rule | severity | findings | files |\n|---|---|---:|---:|\n";
    for (const RuleCounts::Row& row : rows) {
      out_ << "| `" << RuleOf(row.rule).slug << "` | "
           << (row.findings > 0 ? WordFor(row.severity) : "suppressed") << " | "
           << Grouped(row.findings) << " | " << Grouped(row.files) << " |\n";
    }
    out_ << '\n';
  }

  // TextOf returns the text about a file, or nothing if the file is accepted without a finding.
  [[nodiscard]] std::string TextOf(const FileReport& report) const {
    if (report.verdict == Verdict::kUndecided) {
      return absl::StrCat("#### undecided: ", Inert(EscapeText(report.path)), "\n\n",
                          Inert(EscapeText(std::string(report.problem.message()))), "\n\n");
    }
    const std::string rows = RowsOf(report);
    const bool accepted = report.verdict == Verdict::kAccept;
    if (accepted && (rows.empty() || style_.quiet)) return "";
    return absl::StrCat("#### ", accepted ? "ok: " : "reject: ", Inert(EscapeText(report.path)),
                        "\n\n", Inert(FileLine(report)), "\n\n",
                        "| at | severity | rule | what |\n|---|---|---|---|\n", rows, "\n");
  }

  [[nodiscard]] std::string RowsOf(const FileReport& report) const {
    std::string rows;
    std::size_t told = 0;
    std::size_t more = 0;
    for (const Finding& finding : report.findings.list) {
      if (finding.severity == Severity::kNote && !style_.verbose) continue;
      if (told == kMostFindings) {
        ++more;
        continue;
      }
      ++told;
      rows += RowOf(finding);
    }
    if (more > 0) absl::StrAppend(&rows, "| | | | … and ", Grouped(more), " more |\n");
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      absl::StrAppend(&rows, "| | | `", std::string(unlisted.rule), "` | … and ",
                      Grouped(unlisted.count), unlisted.suppressed ? " more, suppressed" : " more",
                      " |\n");
    }
    return rows;
  }

  static std::string RowOf(const Finding& finding) {
    const std::string path = PathFor(finding.subject);
    std::string what = Inert((path.empty() ? "" : path + ": ") + MessageFor(finding));
    if (finding.cause) {
      absl::StrAppend(&what, "<br>",
                      Inert(absl::StrCat(CauseText(finding.cause), "; ",
                                         std::string(AdviceFor(finding.cause)))));
    }
    if (const auto reason = SuppressionOf(finding)) {
      absl::StrAppend(&what, "<br>suppressed: ", Inert(EscapeText(*reason)));
    }
    return absl::StrFormat("| `0x%x` | %s | `%s` | %s |\n", finding.where.begin,
                           WordFor(finding.severity), RuleOf(finding.rule).slug, what);
  }

  ReportStyle style_;
  std::ostream& out_;
  RuleCounts counts_;
  std::string files_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> MakeMarkdownReporter(const Policy& /*policy*/, const ReportStyle& style,
                                               std::ostream& out) {
  return std::make_unique<MarkdownReporter>(style, out);
}

}  // namespace ggufgate
