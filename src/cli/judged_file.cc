#include "cli/judged_file.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "check/rule.h"
#include "gate/judge.h"
#include "report/reporter.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// SaysWhereDataLie tells whether a violation of the rule makes it uncertain where the data are, or
// which tensor owns them.
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

int ComplainOf(std::string_view subject, const absl::Status& status, const Streams& streams) {
  streams.error << "ggufgate: " << EscapeText(subject) << ": "
                << EscapeText(std::string(status.message())) << '\n';
  return kExitUndecided;
}

std::optional<int> RefusedFor(const Input& input, const std::string& path, bool despite_findings,
                              std::string_view not_done, const Streams& streams) {
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
  streams.error << "ggufgate: " << not_done
                << (lost ? "\n" : "; --despite-findings ignores this\n");
  return kExitReject;
}

std::optional<JudgedFile> OpenJudged(const std::string& path, bool despite_findings,
                                     std::string_view not_done, const Streams& streams, int& code) {
  const JudgeOptions judge;
  absl::StatusOr<Input> input =
      path == "-" ? Input::Spool(STDIN_FILENO, judge.most_spooled) : Input::Open(path);
  if (!input.ok()) {
    code = ComplainOf(path, input.status(), streams);
    return std::nullopt;
  }
  if (const auto refused = RefusedFor(*input, path, despite_findings, not_done, streams)) {
    code = *refused;
    return std::nullopt;
  }
  absl::StatusOr<ReadDocument> read = ReadDocument::Read(input->source(), judge.policy.limits);
  if (!read.ok()) {
    code = ComplainOf(path, read.status(), streams);
    return std::nullopt;
  }
  return JudgedFile{.input = *std::move(input), .read = *std::move(read)};
}

void AddDespiteFindings(Command command, bool& despite_findings, std::string_view verb) {
  command.AddFlag("--despite-findings", despite_findings,
                  std::string(verb) +
                      " even if there are errors, if they do not affect the place of the data.");
}

}  // namespace ggufgate
