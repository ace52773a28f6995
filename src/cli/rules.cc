// ggufgate rules: lists the catalogue.

#include <memory>
#include <nlohmann/json.hpp>

#include "check/rule.h"
#include "cli/command_line.h"
#include "report/rules_page.h"
#include "report/table.h"
#include "words/rule_text.h"

namespace ggufgate {
namespace {

constexpr std::string_view kRulesFooter = R"(EXIT STATUS
    0  always, unless the command was wrong (2)

EXAMPLES
    ggufgate rules
        Every rule, with its severity in the default profile.
    ggufgate rules --format json
        All profiles, for a program to read.
)";

using Json = nlohmann::ordered_json;

void PrintText(const Streams& streams) {
  Table table({Table::Align::kLeft, Table::Align::kLeft, Table::Align::kLeft});
  for (const Rule& rule : AllRules()) {
    table.Add({std::string(rule.slug), std::string(WordFor(rule.SeverityIn(Profile::kGate))),
               std::string(rule.what)});
  }
  table.Print(streams.out, streams.columns);
}

Json WeaknessOf(const Rule& rule) {
  if (!rule.weakness.any()) return nullptr;
  const ConsequenceInfo& info = InfoOf(rule.weakness.consequence);
  return {{"cwe", CweOf(rule)},
          {"consequence", info.word},
          {"score", info.score},
          {"vector", info.vector}};
}

void PrintJson(std::ostream& out) {
  Json rules = Json::array();
  for (const Rule& rule : AllRules()) {
    Json severity = Json::object();
    for (std::size_t i = 0; i < kProfileCount; ++i) {
      severity[std::string(kProfileWords.at(i))] = WordFor(rule.severities.at(i));
    }
    rules.push_back({{"id", rule.slug},
                     {"family", WordFor(rule.family)},
                     {"severity", severity},
                     {"what", rule.what},
                     {"why", rule.why},
                     {"repair", rule.repair},
                     {"reports", ReportList(rule)},
                     {"loaders", rule.loaders},
                     {"weakness", WeaknessOf(rule)}});
  }
  out << Json({{"schema", "ggufgate.rules/1"}, {"rules", rules}}).dump(2) << '\n';
}

void Print(const std::string& format, const Streams& streams) {
  if (format == "json") return PrintJson(streams.out);
  if (format == "text") return PrintText(streams);
  WriteRulesPage(streams.out, [](const Rule& /*rule*/) { return RuleExample{}; });
}

}  // namespace

void AddRulesCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto format = std::make_shared<std::string>("text");
  Command command = app.AddSubcommand("rules", "list all rules with their severities");
  command.Footer(kRulesFooter);
  command.AddChoice("-f,--format", *format,
                    "Print text (default), json, or markdown: a page to read.",
                    {"text", "json", "markdown"});
  command.OnChosen([format, &streams, &run] {
    run = [format, &streams] {
      Print(*format, streams);
      return kExitAccept;
    };
  });
}

}  // namespace ggufgate
