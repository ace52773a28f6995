#include "check/check.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "check/cause/diagnose.h"
#include "check/faults.h"
#include "check/loader_findings.h"
#include "check/rule.h"
#include "check/rules/context.h"
#include "check/rules/sink.h"

namespace ggufgate {
namespace {

// ExplainFirst adds a cause to the first error, if the bytes prove one. One is enough: a cause
// concerns the whole file.
void ExplainFirst(const Context& context, Findings& findings) {
  const auto first = std::ranges::find_if(findings.list, [](const Finding& finding) {
    return finding.severity == Severity::kError && !finding.suppression;
  });
  if (first != findings.list.end() && !first->cause) first->cause = Diagnose(context, *first);
}

Findings NoFindings() {
  Findings findings;
  findings.totals.resize(AllRules().size());
  findings.suppressed.resize(AllRules().size());
  return findings;
}

// RunRule returns whether the rule depends on the loader.
bool RunRule(const Rule& rule, Context& context, Findings& findings) {
  if (rule.check == nullptr) return false;
  Sink sink(rule, context.policy, findings);
  if (sink.severity() == Severity::kOff) return false;
  (void)context.cache.TakeAsked();
  rule.check(context, sink);
  return context.cache.TakeAsked();
}

// RunRulesOfLoaders repeats the rules that depend on the loader for each further one of the policy.
// `findings` has those of the first one.
void RunRulesOfLoaders(const std::vector<bool>& of_loader, Context& context, Findings& findings) {
  const auto& loaders = context.policy.loaders;
  NameRelease(loaders.front()->release(), of_loader, findings);
  for (std::size_t i = 1; i < loaders.size(); ++i) {
    context.cache.JudgeFor(*loaders.at(i));
    Findings further = NoFindings();
    for (const Rule& rule : AllRules()) {
      if (of_loader.at(static_cast<std::size_t>(rule.id))) RunRule(rule, context, further);
    }
    NameRelease(loaders.at(i)->release(), of_loader, further);
    MergeFindings(std::move(further), findings);
  }
}

CheckResult RunRules(Context& context) {
  context.cache.Note(context.data.io);
  CheckResult result{.findings = NoFindings()};
  const auto& loaders = context.policy.loaders;
  if (!loaders.empty()) context.cache.JudgeFor(*loaders.front());

  ReportFault(context, result.findings);
  std::vector<bool> of_loader(AllRules().size());
  for (const Rule& rule : AllRules()) {
    of_loader.at(static_cast<std::size_t>(rule.id)) = RunRule(rule, context, result.findings);
  }
  if (!loaders.empty()) RunRulesOfLoaders(of_loader, context, result.findings);
  SortFindings(result.findings);
  if (loaders.size() > 1) {
    KeepFirst(std::max<std::size_t>(context.policy.findings_per_rule, 1), result.findings);
  }
  ExplainFirst(context, result.findings);
  result.io = context.cache.io();
  return result;
}

}  // namespace

Severity Findings::Worst() const {
  Severity worst = Severity::kOff;
  for (const Finding& finding : list) {
    if (!finding.suppression) worst = std::max(worst, finding.severity);
  }
  return worst;
}

void SortFindings(Findings& findings) {
  // The index makes the order total: standard libraries sort equal elements differently.
  std::vector<std::size_t> order(findings.list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&findings](std::size_t place) {
    const Finding& finding = findings.list[place];
    return std::tuple(finding.where.begin, finding.rule, finding.subject.index,
                      finding.subject.element, place);
  });
  std::vector<Finding> sorted;
  sorted.reserve(order.size());
  for (const std::size_t place : order) sorted.push_back(std::move(findings.list[place]));
  findings.list = std::move(sorted);
}

CheckResult Check(const Document& document, const ByteSource& source, const Policy& policy,
                  const CheckHooks& hooks) {
  Context context(document, source, policy);
  context.data = ScanData(document, context.extents, source, policy, hooks);
  return RunRules(context);
}

CheckResult CheckScanned(const Document& document, const ByteSource& source, const Policy& policy,
                         DataScanResult data) {
  Context context(document, source, policy);
  context.data = std::move(data);
  return RunRules(context);
}

}  // namespace ggufgate
