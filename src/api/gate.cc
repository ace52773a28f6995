#include "ggufgate/gate.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "bytes/memory_source.h"
#include "check/rule.h"
#include "gate/judge.h"
#include "gate/judge_source.h"
#include "gate/reading/input.h"
#include "words/escape.h"
#include "words/message.h"

namespace ggufgate::gate {
namespace {

Verdict VerdictOf(ggufgate::Verdict verdict) {
  switch (verdict) {
    case ggufgate::Verdict::kAccept:
      return Verdict::kAccept;
    case ggufgate::Verdict::kReject:
      return Verdict::kReject;
    case ggufgate::Verdict::kUndecided:
      return Verdict::kUndecided;
  }
  return Verdict::kUndecided;
}

Severity SeverityOf(ggufgate::Severity severity) {
  switch (severity) {
    case ggufgate::Severity::kOff:
    case ggufgate::Severity::kNote:
      return Severity::kNote;
    case ggufgate::Severity::kWarning:
      return Severity::kWarning;
    case ggufgate::Severity::kError:
      return Severity::kError;
  }
  return Severity::kError;
}

Report ReportOf(const FileReport& judged) {
  Report report{.verdict = VerdictOf(judged.verdict), .problem = {}, .findings = {}};
  if (!judged.problem.ok()) report.problem = EscapeText(std::string(judged.problem.message()));
  report.findings.reserve(judged.findings.list.size());
  for (const ggufgate::Finding& finding : judged.findings.list) {
    report.findings.push_back({.rule = std::string(RuleOf(finding.rule).slug),
                               .severity = SeverityOf(finding.severity),
                               .offset = finding.where.begin,
                               .place = PathFor(finding.subject),
                               .message = MessageFor(finding)});
  }
  return report;
}

JudgeOptions OptionsFor(const Options& options) {
  JudgeOptions wanted;
  switch (options.tensors) {
    case Tensors::kNone:
      wanted.policy.data = DataScan::kNone;
      break;
    case Tensors::kScales:
      wanted.policy.data = DataScan::kScales;
      break;
    case Tensors::kFull:
      wanted.policy.data = DataScan::kFull;
      break;
  }
  return wanted;
}

Report CheckInput(const absl::StatusOr<Input>& input, const Options& options) {
  if (!input.ok())
    return {.verdict = Verdict::kUndecided,
            .problem = EscapeText(std::string(input.status().message())),
            .findings = {}};
  return ReportOf(JudgeInput(*input, "", OptionsFor(options)));
}

}  // namespace

Report CheckPath(const std::string& path, const Options& options) {
  return CheckInput(Input::Open(path), options);
}

Report CheckDescriptor(int descriptor, const Options& options) {
  return ReportOf(JudgeDescriptor(descriptor, "", OptionsFor(options)));
}

Report CheckMemory(std::span<const std::byte> file, const Options& options) {
  const MemorySource source(AsBytes({reinterpret_cast<const char*>(file.data()), file.size()}));
  return ReportOf(JudgeSource(source, "", OptionsFor(options)));
}

}  // namespace ggufgate::gate
