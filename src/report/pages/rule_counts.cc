#include "report/pages/rule_counts.h"

#include <algorithm>
#include <tuple>

#include "bytes/checked.h"

namespace ggufgate {
namespace {

std::uint64_t Sum(std::uint64_t a, std::uint64_t b) {
  return CheckedAdd(a, b).value_or(UINT64_MAX);
}

std::uint64_t CountIn(const std::vector<std::uint64_t>& counts, RuleId rule) {
  const auto index = static_cast<std::size_t>(rule);
  return index < counts.size() ? counts.at(index) : 0;
}

}  // namespace

RuleCounts::RuleCounts() : rows_(AllRules().size()) {
  for (const Rule& rule : AllRules()) rows_.at(static_cast<std::size_t>(rule.id)).rule = rule.id;
}

void RuleCounts::Add(const FileReport& report) {
  ++verdicts_.at(static_cast<std::size_t>(report.verdict));
  if (report.verdict == Verdict::kUndecided) return;
  for (const Finding& finding : report.findings.list) {
    if (finding.suppression) continue;
    Row& row = rows_.at(static_cast<std::size_t>(finding.rule));
    row.severity = std::max(row.severity, finding.severity);
  }
  for (Row& row : rows_) {
    const std::uint64_t suppressed = CountIn(report.findings.suppressed, row.rule);
    const std::uint64_t all = CountIn(report.findings.totals, row.rule);
    const std::uint64_t counted = all - std::min(all, suppressed);
    row.findings = Sum(row.findings, counted);
    row.suppressed = Sum(row.suppressed, suppressed);
    if (counted > 0) ++row.files;
  }
}

std::vector<RuleCounts::Row> RuleCounts::Rows() const {
  std::vector<Row> rows = rows_;
  std::erase_if(rows, [](const Row& row) { return row.findings + row.suppressed == 0; });
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tuple(b.files, b.findings, a.rule) < std::tuple(a.files, a.findings, b.rule);
  });
  return rows;
}

}  // namespace ggufgate
