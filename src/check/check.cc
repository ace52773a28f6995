#include "check/check.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "check/cause/diagnose.h"
#include "check/faults.h"
#include "check/loaders/run_rules.h"
#include "check/rule.h"
#include "check/rules/context.h"

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

CheckResult RunAllRules(Context& context) {
  context.cache.Note(context.data.io);
  CheckResult result;
  result.findings.totals.resize(AllRules().size());
  result.findings.suppressed.resize(AllRules().size());

  ReportFault(context, result.findings);
  std::vector<RuleId> rules;
  for (const Rule& rule : AllRules()) rules.push_back(rule.id);
  RunRules(rules, context, result.findings);
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
  return RunAllRules(context);
}

CheckResult CheckScanned(const Document& document, const ByteSource& source, const Policy& policy,
                         DataScanResult data) {
  Context context(document, source, policy);
  context.data = std::move(data);
  return RunAllRules(context);
}

}  // namespace ggufgate
