#include "check/loaders/run_rules.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check.h"
#include "check/loaders/loader_findings.h"
#include "check/rule.h"
#include "check/rules/sink.h"
#include "format/contracts/contract_words.h"

namespace ggufgate {
namespace {

// RunRule returns the words of contracts that the rule depends on.
ContractWords RunRule(RuleId id, std::size_t most, Context& context, Findings& findings) {
  const Rule& rule = RuleOf(id);
  if (rule.check == nullptr) return {};
  Sink sink(rule, context.policy, most, findings);
  if (sink.severity() == Severity::kOff) return {};
  (void)context.cache.TakeAsked();
  rule.check(context, sink);
  return context.cache.TakeAsked();
}

// Dependence is a rule that depends on contracts, and for each loader so far the words.
struct Dependence {
  RuleId rule;
  std::vector<ContractWords> asked;
};

// Difference has for each earlier loader the words whose lines differ from those of a loader.
using Difference = std::vector<ContractWords>;

Difference DifferenceOf(const Context& context, std::size_t loader) {
  const auto& loaders = context.policy.loaders;
  Difference difference;
  for (std::size_t i = 0; i < loader; ++i) {
    difference.push_back(context.cache.DifferenceOf(*loaders.at(i), *loaders.at(loader),
                                                    context.parameters.architecture()));
  }
  return difference;
}

// SameAs returns the earlier loader for which a rule read the same lines, so that its findings are
// the same. A rule sees nothing else of a loader.
std::optional<std::size_t> SameAs(const Dependence& rule, const Difference& difference) {
  for (std::size_t i = 0; i < difference.size(); ++i) {
    if (!rule.asked.at(i).Overlaps(difference.at(i))) return i;
  }
  return std::nullopt;
}

Findings NoFindings() {
  Findings findings;
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  return findings;
}

// RunAgain runs the rules that read other lines for a further loader.
void RunAgain(std::size_t loader, std::size_t most, std::vector<Dependence>& rules,
              Context& context, Findings& findings) {
  const auto& loaders = context.policy.loaders;
  const Difference difference = DifferenceOf(context, loader);
  context.cache.JudgeFor(*loaders.at(loader), context.parameters.architecture());
  const std::string_view release = loaders.at(loader)->release();
  Findings further = NoFindings();
  std::vector<RuleId> again;
  std::vector<LikeRelease> like;
  for (Dependence& rule : rules) {
    if (const std::optional<std::size_t> same = SameAs(rule, difference)) {
      rule.asked.push_back(rule.asked.at(*same));
      like.push_back({rule.rule, loaders.at(*same)->release()});
    } else {
      rule.asked.push_back(RunRule(rule.rule, most, context, further));
      again.push_back(rule.rule);
    }
  }
  AddRelease(release, like, findings);
  NameRelease(release, again, further);
  MergeFindings(std::move(further), findings);
}

}  // namespace

void RunRules(std::span<const RuleId> rules, Context& context, Findings& findings) {
  const auto& loaders = context.policy.loaders;
  const std::size_t wanted = std::max<std::size_t>(context.policy.findings_per_rule, 1);
  // A finding that one loader lists and another does not cannot be compared.
  const std::size_t most = loaders.size() > 1 ? kMostFindingsPerRule : wanted;
  if (!loaders.empty()) {
    context.cache.JudgeFor(*loaders.front(), context.parameters.architecture());
  }
  std::vector<RuleId> of_loader;
  std::vector<Dependence> dependences;
  for (const RuleId rule : rules) {
    const ContractWords asked = RunRule(rule, most, context, findings);
    if (asked.empty()) continue;
    of_loader.push_back(rule);
    dependences.push_back({rule, {asked}});
  }
  if (!loaders.empty()) NameRelease(loaders.front()->release(), of_loader, findings);
  for (std::size_t i = 1; i < loaders.size(); ++i) {
    RunAgain(i, most, dependences, context, findings);
  }
  SortFindings(findings);
  if (loaders.size() > 1) KeepFirst(wanted, findings);
}

}  // namespace ggufgate
