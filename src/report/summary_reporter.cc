#include "report/summary_reporter.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "bytes/checked.h"
#include "check/rule.h"
#include "report/json_value.h"
#include "report/table.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

// Row is what is counted of one rule.
struct Row {
  RuleId rule{};
  Severity severity = Severity::kOff;  // the worst of those that are not suppressed
  std::uint64_t findings = 0;
  std::uint64_t files = 0;
  std::uint64_t suppressed = 0;
};

std::uint64_t Sum(std::uint64_t a, std::uint64_t b) {
  return CheckedAdd(a, b).value_or(UINT64_MAX);
}

std::uint64_t CountIn(const std::vector<std::uint64_t>& counts, RuleId rule) {
  const auto index = static_cast<std::size_t>(rule);
  return index < counts.size() ? counts.at(index) : 0;
}

class SummaryReporter final : public Reporter {
 public:
  SummaryReporter(Format format, const ReportStyle& style, std::ostream& out)
      : format_(format), style_(style), out_(out), rows_(AllRules().size()) {
    for (const Rule& rule : AllRules()) rows_.at(static_cast<std::size_t>(rule.id)).rule = rule.id;
  }

  void Add(const FileReport& report) override {
    ++verdicts_.at(static_cast<std::size_t>(report.verdict));
    if (report.verdict == Verdict::kUndecided) return;  // what was found until then does not count
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

  void Finish() override {
    std::erase_if(rows_, [](const Row& row) { return row.findings + row.suppressed == 0; });
    std::ranges::sort(rows_, [](const Row& a, const Row& b) {
      return std::tuple(b.files, b.findings, a.rule) < std::tuple(a.files, a.findings, b.rule);
    });
    format_ == Format::kJson ? PrintJson() : PrintText();
  }

 private:
  void PrintText() {
    Table table(
        {Table::Align::kLeft, Table::Align::kLeft, Table::Align::kRight, Table::Align::kRight});
    table.Add({"rule", "severity", "findings", "files"});
    std::size_t shown = 0;
    for (const Row& row : rows_) {
      const bool hidden = row.severity == Severity::kNote && !style_.verbose;
      if (row.findings == 0 || hidden) continue;
      table.Add({std::string(RuleOf(row.rule).slug), std::string(WordFor(row.severity)),
                 Grouped(row.findings), Grouped(row.files)});
      ++shown;
    }
    if (shown > 0) table.Print(out_);
  }

  void PrintJson() {
    Json files = Json::object();
    for (const Verdict verdict : {Verdict::kAccept, Verdict::kReject, Verdict::kUndecided}) {
      files[std::string(WordFor(verdict))] = verdicts_.at(static_cast<std::size_t>(verdict));
    }
    Json rules = Json::array();
    for (const Row& row : rows_) {
      rules.push_back({{"rule", RuleOf(row.rule).slug},
                       {"severity", WordFor(row.severity)},
                       {"findings", row.findings},
                       {"files", row.files},
                       {"suppressed", row.suppressed}});
    }
    out_ << JsonText({{"schema", "ggufgate.summary/1"},
                      {"tool", {{"name", "ggufgate"}, {"version", GGUFGATE_VERSION}}},
                      {"files", std::move(files)},
                      {"rules", std::move(rules)}})
         << '\n';
  }

  Format format_;
  ReportStyle style_;
  std::ostream& out_;
  std::vector<Row> rows_;  // by RuleId, until Finish()
  std::array<std::uint64_t, 3> verdicts_{};
};

}  // namespace

std::unique_ptr<Reporter> MakeSummaryReporter(Format format, const ReportStyle& style,
                                              std::ostream& out) {
  return std::make_unique<SummaryReporter>(format, style, out);
}

}  // namespace ggufgate
