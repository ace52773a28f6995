// Format github: workflow commands, which GitHub Actions shows as annotations of files.
// Source: "Workflow commands for GitHub Actions" in GitHub's documentation; the escapes are those
// of actions/toolkit, packages/core/src/command.ts.

#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Encoded replaces what ends a command, its properties, or one of them.
std::string Encoded(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      absl::StrAppendFormat(&out, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string Data(std::string_view text) { return Encoded(text, "%\r\n"); }
std::string Property(std::string_view text) { return Encoded(text, "%\r\n:,"); }

std::string_view CommandFor(Severity severity) {
  return severity == Severity::kError     ? "error"
         : severity == Severity::kWarning ? "warning"
                                          : "notice";
}

class GithubReporter final : public Reporter {
 public:
  GithubReporter(const ReportStyle& style, std::ostream& out) : style_(style), out_(out) {}

  void Add(const FileReport& report) override {
    if (report.verdict == Verdict::kUndecided) {
      Command("error", report.path, "undecided",
              "undecided: " + EscapeText(std::string(report.problem.message())));
      return;
    }
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    for (const Finding& finding : report.findings.list) {
      const bool hidden = finding.severity == Severity::kNote && !style_.verbose;
      if (hidden || SuppressionOf(finding)) continue;
      Command(CommandFor(finding.severity), report.path, RuleOf(finding.rule).slug,
              SentenceFor(finding));
    }
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      Command("notice", report.path, unlisted.rule, "and " + Grouped(unlisted.count) + " more");
    }
  }

 private:
  // The line is there because GitHub wants one.
  void Command(std::string_view command, const std::string& path, std::string_view title,
               std::string_view message) {
    out_ << "::" << command << " file=" << Property(EscapeText(path))
         << ",line=1,title=" << Property(title) << "::" << Data(message) << '\n';
  }

  ReportStyle style_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> MakeGithubReporter(const Policy& /*policy*/, const ReportStyle& style,
                                             std::ostream& out) {
  return std::make_unique<GithubReporter>(style, out);
}

}  // namespace ggufgate
