#include "words/loader_outcomes.h"

#include <algorithm>
#include <optional>

#include "check/rule.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {
namespace {

constexpr std::array kContractRules = {
#define GGUFGATE_WEAKNESS(...)
#define GGUFGATE_RULE(name, ...) RuleId::k##name,
#include "check/rules/contract/rules.def"
#undef GGUFGATE_RULE
#undef GGUFGATE_WEAKNESS
};

// OutcomeOf returns the outcome that a finding causes; nullopt if it causes none.
std::optional<LoaderOutcome> OutcomeOf(const Finding& finding) {
  using enum LoaderOutcome;
  if (finding.suppression || finding.severity < Severity::kWarning) return std::nullopt;
  if (finding.rule == RuleId::kArchitectureUnknown) return kUnknown;
  const bool is_error = finding.severity == Severity::kError;
  if (std::ranges::count(kContractRules, finding.rule) == 0) {
    return is_error ? std::optional(kRejected) : std::nullopt;
  }
  if (IsOfOptions(finding.rule) && !is_error) return std::nullopt;
  const bool harms = RuleOf(finding.rule).weakness.consequence != Consequence::kNone;
  return harms ? kCrashes : kRefuses;
}

bool Concerns(const Finding& finding, std::string_view release) {
  return finding.releases.empty() || std::ranges::count(finding.releases, release) > 0;
}

// The outcome in one loader is the worst one: words are in that order.
OutcomeInLoader OutcomeIn(const Findings& findings, std::string_view release) {
  OutcomeInLoader worst{.release = release, .outcome = LoaderOutcome::kRuns};
  for (const Finding& finding : findings.list) {
    if (!Concerns(finding, release)) continue;
    const std::optional<LoaderOutcome> outcome = OutcomeOf(finding);
    if (outcome && *outcome > worst.outcome) {
      worst.outcome = *outcome;
      worst.reason = &finding;
    }
  }
  return worst;
}

}  // namespace

std::vector<OutcomeInLoader> OutcomesIn(const Findings& findings, Verdict verdict,
                                        const Policy& policy) {
  std::vector<std::string_view> releases;
  for (const auto& loader : policy.loaders) releases.push_back(loader->release());
  if (releases.empty()) releases.push_back(kContractRelease);
  std::vector<OutcomeInLoader> outcomes;
  for (const std::string_view release : releases) {
    outcomes.push_back(verdict == Verdict::kUndecided ? OutcomeInLoader{.release = release}
                                                      : OutcomeIn(findings, release));
  }
  return outcomes;
}

}  // namespace ggufgate
