#include "report/summary_reporter.h"

#include <nlohmann/json.hpp>
#include <string>

#include "check/rule.h"
#include "report/json_value.h"
#include "report/pages/rule_counts.h"
#include "report/table.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

class SummaryReporter final : public Reporter {
 public:
  SummaryReporter(Format format, const ReportStyle& style, std::ostream& out)
      : format_(format), style_(style), out_(out) {}

  void Add(const FileReport& report) override { counts_.Add(report); }

  void Finish() override { format_ == Format::kJson ? PrintJson() : PrintText(); }

 private:
  void PrintText() {
    Table table(
        {Table::Align::kLeft, Table::Align::kLeft, Table::Align::kRight, Table::Align::kRight});
    table.Add({"rule", "severity", "findings", "files"});
    std::size_t shown = 0;
    for (const RuleCounts::Row& row : counts_.Rows()) {
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
      files[std::string(WordFor(verdict))] = counts_.files(verdict);
    }
    Json rules = Json::array();
    for (const RuleCounts::Row& row : counts_.Rows()) {
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
  RuleCounts counts_;
};

}  // namespace

std::unique_ptr<Reporter> MakeSummaryReporter(Format format, const ReportStyle& style,
                                              std::ostream& out) {
  return std::make_unique<SummaryReporter>(format, style, out);
}

}  // namespace ggufgate
