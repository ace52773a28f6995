// Format github: workflow commands, which GitHub Actions shows as annotations of files.
// Source: "Workflow commands for GitHub Actions" in GitHub's documentation; the escapes are those
// of actions/toolkit, packages/core/src/command.ts.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Encoded escapes the characters that end a command, its properties, or one of them.
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

// GitHub shows ten annotations of a kind per step and ignores the rest without a message. Source:
// "Annotation limits" in the same documentation. The last notice tells how many were left out.
constexpr std::array<std::uint64_t, 3> kMostOfAKind = {10, 10, 9};

class GithubReporter final : public Reporter {
 public:
  GithubReporter(const ReportStyle& style, std::ostream& out) : style_(style), out_(out) {}

  void Add(const FileReport& report) override {
    const std::uint64_t before = left_out_;
    AddFindings(report);
    if (left_out_ > before) ++files_;
  }

  void Finish() override {
    if (left_out_ == 0) return;
    const std::string text = "and " + Grouped(left_out_) +
                             (left_out_ == 1 ? " more finding in " : " more findings in ") +
                             Grouped(files_) + (files_ == 1 ? " file" : " files") +
                             ": see the log of this step";
    out_ << "::notice title=ggufgate::" << Data(text) << '\n';
  }

 private:
  enum Kind : std::uint8_t { kErrors, kWarnings, kNotices };
  static constexpr std::array<std::string_view, 3> kCommands = {"error", "warning", "notice"};

  void AddFindings(const FileReport& report) {
    if (report.verdict == Verdict::kUndecided) {
      Put(kErrors, report.path, "undecided",
          "undecided: " + EscapeText(std::string(report.problem.message())));
      return;
    }
    if (style_.quiet && report.verdict == Verdict::kAccept) return;
    for (const Finding& finding : report.findings.list) {
      const bool hidden = finding.severity == Severity::kNote && !style_.verbose;
      if (hidden || SuppressionOf(finding)) continue;
      Put(KindFor(finding.severity), report.path, RuleOf(finding.rule).slug, SentenceFor(finding));
    }
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      Put(kNotices, report.path, unlisted.rule, "and " + Grouped(unlisted.count) + " more",
          unlisted.count);
    }
  }

  static Kind KindFor(Severity severity) {
    return severity == Severity::kError     ? kErrors
           : severity == Severity::kWarning ? kWarnings
                                            : kNotices;
  }

  // Put writes an annotation. Beyond the limit, it writes a line that begins with a fixed word, so
  // that it is not a command. GitHub requires the line number.
  void Put(Kind kind, const std::string& path, std::string_view title, std::string_view message,
           std::uint64_t findings = 1) {
    const std::string_view command = kCommands.at(kind);
    if (put_.at(kind) == kMostOfAKind.at(kind)) {
      left_out_ += findings;
      out_ << "also " << command << '[' << title << "] " << EscapeText(path) << ": "
           << Data(message) << '\n';
      return;
    }
    ++put_.at(kind);
    out_ << "::" << command << " file=" << Property(EscapeText(path))
         << ",line=1,title=" << Property(title) << "::" << Data(message) << '\n';
  }

  ReportStyle style_;
  std::ostream& out_;
  std::array<std::uint64_t, 3> put_{};
  std::uint64_t left_out_ = 0;
  std::uint64_t files_ = 0;  // with annotations left out
};

}  // namespace

std::unique_ptr<Reporter> MakeGithubReporter(const Policy& /*policy*/, const ReportStyle& style,
                                             std::ostream& out) {
  return std::make_unique<GithubReporter>(style, out);
}

}  // namespace ggufgate
