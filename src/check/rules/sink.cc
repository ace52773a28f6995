#include "check/rules/sink.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "check/suppression.h"

namespace ggufgate {
namespace {

bool IsChosenIn(const Policy& policy, RuleId rule) {
  return std::ranges::find(policy.severities, rule, &SeverityChoice::rule) !=
         policy.severities.end();
}

}  // namespace

Sink::Sink(const Rule& rule, const Policy& policy, std::size_t most, Findings& findings)
    : rule_(rule),
      severity_(rule.SeverityIn(policy)),
      is_chosen_(IsChosenIn(policy, rule.id)),
      most_kept_(std::max<std::size_t>(most, 1)),
      findings_(findings) {
  if (!policy.suppressions.empty()) suppressions_ = SuppressionsOf(policy, rule.id);
  findings_.totals.resize(AllRules().size());
  findings_.suppressed.resize(AllRules().size());
}

void Sink::Add(Report report) {
  const bool raised = !is_chosen_ && severity_ != Severity::kOff;
  const Severity base = raised ? std::max(severity_, report.at_least) : severity_;
  const Severity severity = std::min(base, report.at_most);
  if (severity == Severity::kOff) return;
  const Suppression* suppression = FirstCovering(suppressions_, report.subject);
  Count(1, suppression);

  Kept& kept_of_kind = suppression != nullptr ? kept_suppressed_ : kept_;
  std::size_t& kept = kept_of_kind.at(static_cast<std::size_t>(severity));
  if (kept >= most_kept_) return;
  ++kept;
  List(std::move(report), severity, suppression);
}

void Sink::CountMore(std::uint64_t breaches, Report unlisted) {
  if (severity_ == Severity::kOff || breaches == 0) return;
  const auto whole_file = std::ranges::find_if(
      suppressions_, [](const Suppression* suppression) { return suppression->path.empty(); });
  const bool covered = whole_file != suppressions_.end();
  Count(breaches, covered ? *whole_file : nullptr);
  if (covered || kept_ != Kept{}) return;
  List(std::move(unlisted), severity_, nullptr);
}

std::uint8_t Sink::NumberOf(const std::optional<Wording>& wording) const {
  const bool fits = wording ? wording->rule == rule_.id : rule_.messages.size() == 1;
  if (!fits) std::abort();
  return wording ? wording->number : 0;
}

void Sink::Count(std::uint64_t breaches, const Suppression* suppression) {
  const auto index = static_cast<std::size_t>(rule_.id);
  findings_.totals.at(index) += breaches;
  if (suppression != nullptr) findings_.suppressed.at(index) += breaches;
}

void Sink::List(Report report, Severity severity, const Suppression* suppression) {
  findings_.list.push_back({.rule = rule_.id,
                            .severity = severity,
                            .wording = NumberOf(report.wording),
                            .where = report.where,
                            .subject = std::move(report.subject),
                            .observed = std::move(report.observed),
                            .allowed = std::move(report.allowed),
                            .other = std::move(report.other),
                            .cause = report.cause,
                            .releases = std::move(report.releases)});
  if (suppression != nullptr) findings_.list.back().suppression = suppression->reason;
}

}  // namespace ggufgate
