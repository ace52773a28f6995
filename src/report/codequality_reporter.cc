// Format codequality: a Code Quality report, which GitLab shows next to a merge request. It is a
// list of issues, one per finding. Source: "Code Quality report format" in GitLab's documentation;
// docs/schema/codequality.schema.json is written from it.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "report/json_value.h"
#include "report/reporter.h"
#include "report/sarif_value.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

// Findings that harm the machine that loads the file are blockers; all other errors are critical.
std::string_view SeverityWord(const Finding& finding) {
  switch (finding.severity) {
    case Severity::kError:
      return RuleOf(finding.rule).weakness.consequence >= Consequence::kMemory ? "blocker"
                                                                               : "critical";
    case Severity::kWarning:
      return "minor";
    default:
      return "info";
  }
}

// GitLab requires a path relative to the repository, without "./" at its beginning.
std::string PathIn(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return EscapeText(path);
}

class CodequalityReporter final : public Reporter {
 public:
  CodequalityReporter(const ReportStyle& style, std::ostream& out) : style_(style), out_(out) {
    out_ << '[';
  }

  void Add(const FileReport& report) override {
    ordinals_.clear();
    occurrence_ = occurrences_[PathIn(report.path)]++;
    if (report.verdict == Verdict::kUndecided) {
      return Issue(report.path, "undecided", "blocker",
                   "undecided: " + EscapeText(std::string(report.problem.message())), "undecided");
    }
    for (const Finding& finding : report.findings.list) {
      const bool hidden = finding.severity == Severity::kNote && !style_.verbose;
      if (hidden || SuppressionOf(finding)) continue;
      Issue(report.path, RuleOf(finding.rule).slug, SeverityWord(finding), SentenceFor(finding),
            RecordKey(finding));
    }
    for (const Unlisted& unlisted : UnlistedIn(report.findings)) {
      if (unlisted.suppressed) continue;
      Issue(report.path, unlisted.rule, "info", "and " + Grouped(unlisted.count) + " more",
            "unlisted\n" + std::string(unlisted.rule));
    }
  }

  void Finish() override { out_ << (count_ == 0 ? "]\n" : "\n]\n"); }

 private:
  // GitLab requires a line number.
  void Issue(const std::string& path, std::string_view check, std::string_view severity,
             std::string_view description, const std::string& record) {
    const Json issue = {{"description", description},
                        {"check_name", check},
                        {"fingerprint", FingerprintFor(path, record)},
                        {"severity", severity},
                        {"location", {{"path", PathIn(path)}, {"lines", {{"begin", 1}}}}}};
    out_ << (count_++ == 0 ? "\n" : ",\n") << JsonText(issue);
  }

  // FingerprintFor returns the same text in every run. The fingerprints of a report differ, even if
  // a path is given twice. For earlier files it keeps only their paths.
  std::string FingerprintFor(const std::string& path, const std::string& record) {
    std::string key = record + '\n' + PathIn(path);
    if (occurrence_ > 0) key += '\n' + std::to_string(occurrence_);
    const std::uint64_t ordinal = ordinals_[key]++;
    return Fingerprint(key, ordinal);
  }

  ReportStyle style_;
  std::ostream& out_;
  std::uint64_t count_ = 0;
  std::unordered_map<std::string, std::uint64_t> ordinals_;  // of this file
  std::unordered_map<std::string, std::uint64_t> occurrences_;
  std::uint64_t occurrence_ = 0;  // how often this path was given before
};

}  // namespace

std::unique_ptr<Reporter> MakeCodequalityReporter(const Policy& /*policy*/,
                                                  const ReportStyle& style, std::ostream& out) {
  return std::make_unique<CodequalityReporter>(style, out);
}

}  // namespace ggufgate
