#include "tests/support/rules/rule_place.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

// VerdictWord returns the constant of corpus/recipes/recipe.h for a file that breaks only this
// rule.
std::string VerdictWord(const Rule& rule) {
  const auto accepts = [&](Profile profile) {
    return rule.SeverityIn(profile) != Severity::kError;
  };
  constexpr std::array<std::array<std::string_view, 4>, 2> kWords = {{
      {"kReject", "kOnlySpec", "kOnlyLlamaCpp", "kOnlyGateRejects"},
      {"kOnlyGate", "kOnlyLlamaCppRejects", "kOnlySpecRejects", "kAccept"},
  }};
  const std::size_t others =
      (accepts(Profile::kLlamaCpp) ? 2U : 0U) + (accepts(Profile::kSpec) ? 1U : 0U);
  return std::string(kWords.at(accepts(Profile::kGate) ? 1 : 0).at(others));
}

}  // namespace

std::string RuleFolder(const Rule& rule) {
  const std::string name = "\"" + std::string(rule.slug) + "\"";
  for (const auto& entry :
       fs::directory_iterator(fs::path(GGUFGATE_SOURCE_DIR) / "src/check/rules")) {
    std::ifstream in(entry.path() / "rules.def");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (text.find(name) != std::string::npos) return entry.path().filename().string();
  }
  return "FAMILY";
}

std::string RuleTable(const Rule& rule) {
  return "src/check/rules/" + RuleFolder(rule) + "/rules.def, " + std::string(rule.slug);
}

std::string RecipeFor(const Rule& rule, bool near_miss) {
  const std::string slug(rule.slug);
  const Severity severity = rule.SeverityIn(Profile::kGate);
  std::string file = "valid/" + slug + ".near-miss.gguf";
  std::string verdict = "kAccept";
  std::string rules = "{}";
  if (!near_miss) {
    file = severity == Severity::kError ? "invalid/" + slug + ".gguf"
                                        : "valid/" + slug + ".warned.gguf";
    verdict = VerdictWord(rule);
    if (severity >= Severity::kWarning) rules = "{\"" + slug + "\"}";
  }
  return "corpus/recipes/" + RuleFolder(rule) + ".cc has no file that " +
         (near_miss ? "nearly breaks " : "breaks ") + slug +
         ". Add these lines, with your own words and edit:\n"
         "      FromBase(\"" +
         file + "\", \"what it shows\", " + verdict + ", " + rules +
         ",\n"
         "               \"how it is made\", [](Model& m) { Append(m, \"test.key\", 1); }),\n"
         "Then build make-corpus and run it: build/quick/make-corpus corpus";
}

}  // namespace ggufgate::testing
