#include "report/rules_page.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "words/rule_text.h"

namespace ggufgate {
namespace {

constexpr std::string_view kIntroduction = R"(# Rules

All rules of ggufgate, by family. A finding names its rule, and `ggufgate explain RULE` describes it.
By default, errors reject a file; warnings and notes do not (`--fail-on`). A rule with severity `off`
reports nothing. A fault that stops reading is an error in every profile. The severity depends on the
profile (`--profile`):

- `gate` (default) protects a loader: it rejects malformed, dangerous and unloadable files.
- `llama.cpp` accepts the files that llama.cpp v0.5.0 loads safely.
- `spec` checks a file against the published specification, for authors of files.
- `diffusion` is for loaders of image and video models, such as stable-diffusion.cpp.
)";

std::vector<Rule> RulesOf(Family family) {
  std::vector<Rule> rules;
  std::ranges::copy_if(AllRules(), std::back_inserter(rules),
                       [=](const Rule& rule) { return rule.family == family; });
  return rules;
}

std::vector<Family> Families() {
  std::vector<Family> families;
  for (const Rule& rule : AllRules()) {
    if (std::ranges::find(families, rule.family) == families.end()) families.push_back(rule.family);
  }
  return families;
}

std::string Title(std::string_view words) {
  std::string title(words);
  if (!title.empty() && title.front() >= 'a' && title.front() <= 'z') title.front() += 'A' - 'a';
  return title;
}

// CellText returns text for a table, where '|' separates cells even inside code.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : MarkdownText(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void WriteTable(const std::vector<Rule>& rules, std::ostream& out) {
  out << "\n| rule |";
  for (const std::string_view profile : kProfileWords) out << ' ' << profile << " |";
  out << " what breaks it |\n|---|";
  for (std::size_t i = 0; i < kProfileCount; ++i) out << "---|";
  out << "---|\n";
  for (const Rule& rule : rules) {
    out << "| [" << rule.slug << "](#" << rule.slug << ") |";
    for (const Severity severity : rule.severities) out << ' ' << WordFor(severity) << " |";
    out << ' ' << CellText(rule.what) << " |\n";
  }
}

void WriteRule(const Rule& rule, const RuleExample& example, std::ostream& out) {
  out << "\n### " << rule.slug << "\n\n" << MarkdownText(rule.what) << "\n\n";
  for (std::size_t i = 0; i < kProfileCount; ++i) {
    out << (i == 0 ? "" : ", ") << kProfileWords.at(i) << ": " << WordFor(rule.severities.at(i));
  }
  out << ".\n\n" << RuleMarkdown(rule) << '\n';
  if (example.command.empty()) return;
  out << "\n```\n$ " << example.command << '\n' << example.output << "```\n";
}

}  // namespace

void WriteRulesPage(std::ostream& out,
                    const std::function<RuleExample(const Rule& rule)>& example_of) {
  out << kIntroduction;
  for (const Family family : Families()) {
    const std::vector<Rule> rules = RulesOf(family);
    out << "\n## " << Title(WordFor(family)) << '\n';
    WriteTable(rules, out);
    for (const Rule& rule : rules) WriteRule(rule, example_of(rule), out);
  }
}

}  // namespace ggufgate
