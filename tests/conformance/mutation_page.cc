#include "tests/conformance/mutation_page.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "mutate/naming.h"

namespace ggufgate::testing {
namespace {

using mutate::Mutation;
using mutate::MutationKind;

std::vector<std::string> LinesOf(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// AllLines returns the lines of the tables, file by file. An empty line follows each file.
const std::vector<std::string>& AllLines() {
  static const std::vector<std::string> all = [] {
    std::set<std::filesystem::path> paths;
    const auto folder = std::filesystem::path(GGUFGATE_SOURCE_DIR) / "src/mutate/mutations";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.insert(entry);
    std::vector<std::string> lines;
    for (const std::filesystem::path& path : paths) {
      std::ranges::copy(LinesOf(path), std::back_inserter(lines));
      lines.emplace_back();
    }
    return lines;
  }();
  return all;
}

// ReasonOf returns the comment directly above the line of a mutation, as one paragraph.
std::string ReasonOf(const Mutation& mutation) {
  const std::string quoted = "\"" + std::string(mutation.slug) + "\"";
  const std::vector<std::string>& lines = AllLines();
  auto line = std::ranges::find_if(
      lines, [&](const std::string& text) { return text.find(quoted) != std::string::npos; });
  if (line == lines.end()) return "";
  while (line != lines.begin() && !line->starts_with("GGUFGATE_")) --line;
  auto first = line;
  while (first != lines.begin() && (first - 1)->starts_with("//")) --first;
  std::string reason;
  for (; first != line; ++first) {
    const std::size_t text = std::min(first->find_first_not_of("/ "), first->size());
    reason += (reason.empty() ? "" : " ") + first->substr(text);
  }
  return reason;
}

bool HasSeveralRules(const Mutation& mutation) {
  return mutation.rules.find('|') != std::string_view::npos;
}

std::string RuleLinks(const Mutation& mutation) {
  std::string links;
  for (std::string_view rest = mutation.rules; !rest.empty();) {
    const std::string rule(mutate::TakeRule(rest));
    links += (links.empty() ? "[" : ", [") + rule + "](rules.md#" + rule + ")";
  }
  if (mutation.data != mutate::DataNeeded::kNone) {
    links += " with `--data " + std::string(WordFor(mutation.data)) + "`";
  }
  return links;
}

// CellText returns text for a table, where '|' separates the cells, and '<' would begin HTML.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

void WriteFamily(mutate::MutationFamily family, std::ostream& out) {
  std::string title(WordFor(family));
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  out << "\n### " << title << "\n\n| mutation | kind | effect | rule |\n"
      << "|---|---|---|---|\n";
  std::string reasons;
  for (const Mutation& mutation : mutate::AllMutations()) {
    if (mutation.family != family) continue;
    out << "| `" << mutation.slug << "` | " << WordFor(mutation.kind) << " | "
        << CellText(mutation.what) << " | " << RuleLinks(mutation) << " |\n";
    if (HasSeveralRules(mutation)) {
      reasons += "- `" + std::string(mutation.slug) + "`: " + ReasonOf(mutation) + "\n";
    }
  }
  if (!reasons.empty()) out << "\nReasons for several rules:\n\n" << reasons;
}

std::size_t CountOf(MutationKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(mutate::AllMutations(), kind, &Mutation::kind));
}

}  // namespace

std::string MutationPage() {
  std::ostringstream out;
  out << "\n## The mutations\n\n"
      << mutate::AllMutations().size() << " mutations: " << CountOf(MutationKind::kEdit)
      << " edits, after which repair makes a sound file; " << CountOf(MutationKind::kBenign)
      << " benign mutations, which break no rule of severity error; " << CountOf(MutationKind::kLie)
      << " lies, which break one rule each; " << CountOf(MutationKind::kModel)
      << " changes of tiny models, which still run.\n";
  std::vector<mutate::MutationFamily> families;
  for (const Mutation& mutation : mutate::AllMutations()) {
    if (std::ranges::find(families, mutation.family) == families.end()) {
      families.push_back(mutation.family);
    }
  }
  for (const mutate::MutationFamily family : families) WriteFamily(family, out);
  return out.str();
}

std::vector<std::string> UnreasonedLies() {
  std::vector<std::string> slugs;
  for (const Mutation& mutation : mutate::AllMutations()) {
    if (HasSeveralRules(mutation) && ReasonOf(mutation).empty()) {
      slugs.emplace_back(mutation.slug);
    }
  }
  return slugs;
}

}  // namespace ggufgate::testing
