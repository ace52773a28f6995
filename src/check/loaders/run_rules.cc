#include "check/loaders/run_rules.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "check/check.h"
#include "check/loaders/loader_findings.h"
#include "check/rule.h"
#include "check/rules/sink.h"

namespace ggufgate {
namespace {

// RunRule returns whether the rule depends on the loader.
bool RunRule(RuleId id, std::size_t most, Context& context, Findings& findings) {
  const Rule& rule = RuleOf(id);
  if (rule.check == nullptr) return false;
  Sink sink(rule, context.policy, most, findings);
  if (sink.severity() == Severity::kOff) return false;
  (void)context.cache.TakeAsked();
  rule.check(context, sink);
  return context.cache.TakeAsked();
}

// SameAsEarlier returns an earlier loader with the same contract of the file's architecture. A rule
// sees nothing else of a loader. Contracts that are compiled in share their lines.
const ContractTable* SameAsEarlier(const Context& context, std::size_t loader) {
  const auto& loaders = context.policy.loaders;
  const auto contract_of = [&](const auto& table) {
    return table->Find(context.parameters.architecture());
  };
  const Contract* own = contract_of(loaders.at(loader));
  if (own == nullptr) return nullptr;
  for (std::size_t i = 0; i < loader; ++i) {
    const Contract* other = contract_of(loaders.at(i));
    if (other != nullptr && other->text.data() == own->text.data() &&
        other->vocabulary == own->vocabulary && std::ranges::equal(other->lines, own->lines)) {
      return loaders.at(i).get();
    }
  }
  return nullptr;
}

Findings NoFindings() {
  Findings findings;
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  return findings;
}

}  // namespace

void RunRules(std::span<const RuleId> rules, Context& context, Findings& findings) {
  const auto& loaders = context.policy.loaders;
  const std::size_t wanted = std::max<std::size_t>(context.policy.findings_per_rule, 1);
  // A finding that one loader lists and another does not cannot be compared.
  const std::size_t most = loaders.size() > 1 ? kMostFindingsPerRule : wanted;
  if (!loaders.empty()) context.cache.JudgeFor(*loaders.front());
  std::vector<RuleId> of_loader;
  for (const RuleId rule : rules) {
    if (RunRule(rule, most, context, findings)) of_loader.push_back(rule);
  }
  if (!loaders.empty()) NameRelease(loaders.front()->release(), of_loader, findings);
  for (std::size_t i = 1; i < loaders.size(); ++i) {
    if (const ContractTable* same = SameAsEarlier(context, i)) {
      AddRelease(loaders.at(i)->release(), same->release(), findings);
      continue;
    }
    context.cache.JudgeFor(*loaders.at(i));
    Findings further = NoFindings();
    for (const RuleId rule : of_loader) (void)RunRule(rule, most, context, further);
    NameRelease(loaders.at(i)->release(), of_loader, further);
    MergeFindings(std::move(further), findings);
  }
  SortFindings(findings);
  if (loaders.size() > 1) KeepFirst(wanted, findings);
}

}  // namespace ggufgate
