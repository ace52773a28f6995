// ggufgate explain: describes one rule.

#include <memory>
#include <string>
#include <string_view>

#include "check/nearest.h"
#include "check/rule.h"
#include "check/rules/contract/conditions/measured.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "format/contracts/contract.h"
#include "report/terminal/paint.h"
#include "words/escape.h"
#include "words/rule_text.h"

namespace ggufgate {
namespace {

constexpr std::string_view kExplainFooter = R"(EXIT STATUS
    0  there is such a rule
    2  there is none; the error names the nearest

EXAMPLES
    ggufgate explain tensor-data-bounds
        What the rule is about, and how to repair a file.
)";

constexpr std::size_t kIndent = 2;

void PrintSection(std::string_view title, std::string_view text, const Paint& paint,
                  const Streams& streams) {
  if (text.empty()) return;
  streams.out << '\n' << paint.Strong(title) << '\n';
  streams.out << Wrapped(text, kIndent, streams.columns);
}

// PrintMeasured prints the architectures for which llama.cpp failed in measurements, and how.
void PrintMeasured(const Rule& rule, const Paint& paint, const Streams& streams) {
  const std::vector<Measurement> measured = MeasurementsOf(rule.id);
  if (measured.empty()) return;
  std::ostream& out = streams.out;
  out << '\n' << paint.Strong("measured") << " on " << kContractRelease << '\n';
  for (const Measurement& one : measured) {
    out << Wrapped(one.needs, kIndent, streams.columns);
    std::string text = "else it " + one.ending + ":";
    for (const std::string_view name : one.architectures) text += " " + std::string(name);
    out << Wrapped(text, 2 * kIndent, streams.columns);
  }
}

void Explain(const Rule& rule, const Streams& streams) {
  const Paint paint(streams.colour);
  std::ostream& out = streams.out;
  out << paint.Strong(rule.slug) << "  (" << WordFor(rule.family) << ")\n";
  out << Wrapped(rule.what, kIndent, streams.columns);
  PrintSection("why", rule.why, paint, streams);
  PrintSection("repair", rule.repair, paint, streams);
  PrintSection("loaders", rule.loaders, paint, streams);
  PrintMeasured(rule, paint, streams);
  PrintSection("weakness", WeaknessText(rule), paint, streams);
  PrintSection("published reports", rule.reports, paint, streams);
  out << '\n' << paint.Strong("severity") << '\n' << ' ';
  for (std::size_t i = 0; i < kProfileCount; ++i) {
    out << (i == 0 ? " " : ", ") << kProfileWords.at(i) << ": " << WordFor(rule.severities.at(i));
  }
  out << '\n';
}

int NoSuchRule(const std::string& slug, const Streams& streams) {
  streams.error << "ggufgate: there is no rule " << Quoted(slug);
  if (const Rule* nearest = NearestRule(slug)) {
    streams.error << "; did you mean " << nearest->slug << "?";
  }
  streams.error << "\nTry 'ggufgate rules'.\n";
  return kExitUndecided;
}

}  // namespace

void AddExplainCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto slug = std::make_shared<std::string>();
  Command command = app.AddSubcommand(
      "explain", "explain a rule: what it requires, why, and how to repair a file");
  command.Footer(kExplainFooter);
  command.AddOption("RULE", *slug, "A rule, as findings name it: tensor-data-bounds, for one.")
      .Required();
  command.OnChosen([slug, &streams, &run] {
    run = [slug, &streams] {
      const Rule* rule = FindRule(*slug);
      if (rule == nullptr) return NoSuchRule(*slug, streams);
      Explain(*rule, streams);
      return kExitAccept;
    };
  });
}

}  // namespace ggufgate
