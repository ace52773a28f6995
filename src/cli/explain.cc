// ggufgate explain: describes one rule.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/grouped.h"
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
    2  there is no such rule; the error names a similar one, if there is one

EXAMPLES
    ggufgate explain tensor-data-bounds
        The requirement of the rule, and the repair.
)";

constexpr std::size_t kIndent = 2;

void PrintSection(std::string_view title, std::string_view text, const Paint& paint,
                  const Streams& streams) {
  if (text.empty()) return;
  streams.out << '\n' << paint.Strong(title) << '\n';
  streams.out << Wrapped(text, kIndent, streams.columns);
}

// ArchitecturesText names the architectures, or only counts them if there are many.
std::string ArchitecturesText(const std::vector<std::string_view>& names, bool all) {
  constexpr std::size_t kMostNamed = 8;
  if (!all && names.size() > kMostNamed) {
    return Grouped(names.size()) + " of " + Grouped(AllContracts().size()) + " architectures";
  }
  std::string text;
  for (const std::string_view name : names) {
    text.append(text.empty() ? "" : " ").append(name);
  }
  return text;
}

// PrintMeasured prints the architectures for which llama.cpp failed in measurements, and how.
void PrintMeasured(const Rule& rule, bool all, const Paint& paint, const Streams& streams) {
  const std::vector<Measurement> measured = MeasurementsOf(rule.id);
  if (measured.empty()) return;
  std::ostream& out = streams.out;
  out << '\n' << paint.Strong("measured") << " on " << kContractRelease << '\n';
  bool counted = false;
  std::string_view needs;
  for (const Measurement& one : measured) {
    if (one.needs != needs) out << Wrapped(one.needs, kIndent, streams.columns);
    needs = one.needs;
    const std::string names = ArchitecturesText(one.architectures, all);
    counted = counted || names.ends_with(" architectures");
    out << Wrapped("else it " + one.ending + ": " + names, 2 * kIndent, streams.columns);
  }
  if (counted) out << Wrapped("--verbose lists the architectures.", kIndent, streams.columns);
}

void Explain(const Rule& rule, bool all, const Streams& streams) {
  const Paint paint(streams.colour);
  std::ostream& out = streams.out;
  out << paint.Strong(rule.slug) << "  (" << WordFor(rule.family) << ")\n";
  out << Wrapped(rule.what, kIndent, streams.columns);
  PrintSection("why", rule.why, paint, streams);
  PrintSection("repair", rule.repair, paint, streams);
  PrintSection("loaders", rule.loaders, paint, streams);
  PrintMeasured(rule, all, paint, streams);
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
  const auto all = std::make_shared<bool>(false);
  Command command =
      app.AddSubcommand("explain", "explain a rule: its requirement, its reason, and the repair");
  command.Footer(kExplainFooter);
  command
      .AddOption("RULE", *slug, "The name of a rule in a finding, for example tensor-data-bounds.")
      .Required();
  command.AddFlag("-v,--verbose", *all, "List all architectures of each measurement.");
  command.OnChosen([slug, all, &streams, &run] {
    run = [slug, all, &streams] {
      const Rule* rule = FindRule(*slug);
      if (rule == nullptr) return NoSuchRule(*slug, streams);
      Explain(*rule, *all, streams);
      return kExitAccept;
    };
  });
}

}  // namespace ggufgate
