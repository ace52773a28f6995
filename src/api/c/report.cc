// Reports of the C interface.

#include <memory>
#include <sstream>
#include <utility>

#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "check/rule.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/message.h"

using namespace ggufgate;

namespace {

std::string TextOf(const Fact& fact) {
  const auto* text = std::get_if<std::string>(&fact);
  return text != nullptr ? EscapeText(*text) : std::string();
}

ggufgate_fact InC(const Fact& fact, const std::string& text) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact)) {
    return {GGUFGATE_FACT_NUMBER, *number, ""};
  }
  if (std::holds_alternative<std::string>(fact)) return {GGUFGATE_FACT_TEXT, 0, text.c_str()};
  return {GGUFGATE_FACT_NONE, 0, ""};
}

api::FindingTexts TextsOf(const Finding& finding) {
  return {.place = PathFor(finding.subject),
          .message = MessageFor(finding),
          .observed = TextOf(finding.observed),
          .allowed = TextOf(finding.allowed),
          .suppressed = finding.suppression ? EscapeText(*finding.suppression) : std::string(),
          .cause_message = finding.cause ? CauseText(finding.cause) : std::string()};
}

// Slugs and advice are literals of the .def files, so they end with a NUL.
ggufgate_finding InC(const Finding& finding, const api::FindingTexts& texts) {
  ggufgate_finding out = {};
  out.rule = RuleOf(finding.rule).slug.data();
  out.severity = static_cast<std::int32_t>(finding.severity);
  out.offset = finding.where.begin;
  out.length = finding.where.size;
  out.place = texts.place.c_str();
  out.message = texts.message.c_str();
  out.observed = InC(finding.observed, texts.observed);
  out.allowed = InC(finding.allowed, texts.allowed);
  out.suppressed = finding.suppression ? texts.suppressed.c_str() : nullptr;
  if (finding.cause) {
    out.cause = InfoOf(finding.cause.kind).slug.data();
    out.cause_message = texts.cause_message.c_str();
    out.advice = AdviceFor(finding.cause).data();
  }
  return out;
}

}  // namespace

ggufgate_report::ggufgate_report(FileReport report, Policy by)
    : judged(std::move(report)), policy(std::move(by)) {
  if (!judged.problem.ok()) problem = EscapeText(std::string(judged.problem.message()));
  texts.reserve(judged.findings.list.size());
  for (const Finding& finding : judged.findings.list) texts.push_back(TextsOf(finding));
}

int32_t ggufgate_report_verdict(const ggufgate_report* report) noexcept {
  static_assert(GGUFGATE_VERDICT_ACCEPT == static_cast<int>(Verdict::kAccept));
  static_assert(GGUFGATE_VERDICT_REJECT == static_cast<int>(Verdict::kReject));
  static_assert(GGUFGATE_VERDICT_UNDECIDED == static_cast<int>(Verdict::kUndecided));
  return report != nullptr ? static_cast<std::int32_t>(report->judged.verdict)
                           : GGUFGATE_VERDICT_UNDECIDED;
}

const char* ggufgate_report_problem(const ggufgate_report* report) noexcept {
  return report != nullptr ? report->problem.c_str() : "";
}

size_t ggufgate_report_finding_count(const ggufgate_report* report) noexcept {
  return report != nullptr ? report->texts.size() : 0;
}

uint64_t ggufgate_report_total(const ggufgate_report* report, const char* rule) noexcept {
  if (report == nullptr || rule == nullptr) return 0;
  const Rule* named = FindRule(rule);
  if (named == nullptr) return 0;
  const auto& totals = report->judged.findings.totals;
  const auto index = static_cast<std::size_t>(named->id);
  return index < totals.size() ? totals[index] : 0;
}

ggufgate_status ggufgate_report_finding(const ggufgate_report* report, size_t index,
                                        ggufgate_finding* finding) noexcept {
  if (report == nullptr || !api::HasRoomFor(finding)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  if (index >= report->texts.size()) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const std::size_t size = finding->size;
  *finding = InC(report->judged.findings.list[index], report->texts[index]);
  finding->size = size;
  return GGUFGATE_STATUS_OK;
}

const char* ggufgate_report_sha256(const ggufgate_report* report) noexcept {
  return report != nullptr && report->judged.sha256 ? report->judged.sha256->c_str() : "";
}

uint64_t ggufgate_report_file_size(const ggufgate_report* report) noexcept {
  return report != nullptr ? report->judged.identity.size : 0;
}

ggufgate_status ggufgate_report_json(const ggufgate_report* report, ggufgate_text** json) noexcept {
  if (json == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *json = nullptr;
  if (report == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&]() -> ggufgate_status {
    std::ostringstream out;
    const ReportStyle style;
    const auto reporter = MakeReporter(Format::kJson, report->policy, style, out);
    reporter->Add(report->judged);
    reporter->Finish();
    // A stream catches exceptions inside it and only sets its error state.
    if (!out) return GGUFGATE_STATUS_OUT_OF_MEMORY;
    auto made = std::make_unique<ggufgate_text>();
    made->chars = out.str();
    return api::Give(std::move(made), json);
  });
}

void ggufgate_report_free(ggufgate_report* report) noexcept { delete report; }
