#include "tests/support/rules/rule_place.h"

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// HasRecipe returns whether some recipe makes this file.
bool HasRecipe(const std::string& file) {
  const std::string name = "\"" + file + "\"";
  for (const auto& entry :
       fs::directory_iterator(fs::path(GGUFGATE_SOURCE_DIR) / "corpus/recipes")) {
    if (TextOf(entry.path()).find(name) != std::string::npos) return true;
  }
  return false;
}

constexpr std::string_view kExamples = "src/mutate/examples/examples.def";

// HasExample returns whether examples.def has an example of a rule, without a variant.
bool HasExample(const Rule& rule) {
  const std::string text = TextOf(fs::path(GGUFGATE_SOURCE_DIR) / kExamples);
  return text.find("\nGGUFGATE_EXAMPLE(\"" + std::string(rule.slug) + "\", \"\",") !=
         std::string::npos;
}

// LettersOf returns the severities of a rule in all profiles: "ewno".
std::string LettersOf(const Rule& rule) {
  std::string letters;
  for (const Severity severity : rule.severities) {
    letters += severity == Severity::kError     ? 'e'
               : severity == Severity::kWarning ? 'w'
               : severity == Severity::kNote    ? 'n'
                                                : 'o';
  }
  return letters;
}

// ExampleLine shows the line to add to examples.def.
std::string ExampleLine(const Rule& rule) {
  const bool of_tensor =
      rule.family == Family::kTensorDirectory || rule.family == Family::kTensorData;
  const bool rejects = rule.SeverityIn(Profile::kGate) == Severity::kError;
  const std::string slug(rule.slug);
  return std::string(kExamples) + " has no example of " + slug +
         ". Add this line, with a record that breaks the rule, the most similar one that does "
         "not,\n"
         "and your own words:\n"
         "GGUFGATE_EXAMPLE(\"" +
         slug + "\", \"\", \"" + LettersOf(rule) + "\", " +
         (of_tensor ? "Tensor(\"name\", TensorType::kF32, {8}), "
                      "Tensor(\"name\", TensorType::kF32, {9})"
                    : "Key(\"test.key\", U32(0)), Key(\"test.key\", U32(1))") +
         (rejects ? ", kGood" : ", kAll") + ", \"what is wrong\")\n";
}

// NameOf returns "KeyEmpty" for rule key-empty.
std::string NameOf(const Rule& rule) {
  std::string name;
  bool begins = true;
  for (const char c : rule.slug) {
    if (c != '-') name += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = c == '-';
  }
  return name;
}

// CommandOf tells how to build and run a program that writes into a folder of the tree.
std::string CommandOf(const std::string& program, const std::string& folder) {
  const std::string build = GGUFGATE_BUILD_DIR;
  return "Run: cmake --build " + build + " --target " + program + " && " + build + "/" + program +
         " " GGUFGATE_SOURCE_DIR "/" + folder;
}

// LiePlace is the place of the lies about a family of rules.
struct LiePlace {
  std::string_view table;   // in src/mutate/mutations, without .def
  std::string_view prefix;  // of the slug
  std::string_view family;
  std::string_view data = "kNone";
};

LiePlace PlaceOfLies(Family family) {
  switch (family) {
    case Family::kContainer:
      return {"header", "header-", "kHeader"};
    case Family::kMetadata:
      return {"metadata", "metadata-", "kMetadata"};
    case Family::kTensorDirectory:
      return {"tensor_directory", "tensor-", "kTensorDirectory"};
    case Family::kDataLayout:
      return {"layout", "layout-", "kLayout"};
    case Family::kTensorData:
      return {"tensor_data", "data-", "kTensorData", "kFull"};
    default:
      return {"cross_field", "cross-", "kCrossField"};
  }
}

}  // namespace

std::string VerdictWord(bool gate, bool llama_cpp, bool spec) {
  constexpr std::array<std::array<std::string_view, 4>, 2> kWords = {{
      {"kReject", "kOnlySpec", "kOnlyLlamaCpp", "kOnlyGateRejects"},
      {"kOnlyGate", "kOnlyLlamaCppRejects", "kOnlySpecRejects", "kAccept"},
  }};
  return std::string(kWords.at(gate ? 1 : 0).at((llama_cpp ? 2U : 0U) + (spec ? 1U : 0U)));
}

std::string RuleFolder(const Rule& rule) {
  const std::string name = "\"" + std::string(rule.slug) + "\"";
  for (const auto& entry :
       fs::directory_iterator(fs::path(GGUFGATE_SOURCE_DIR) / "src/check/rules")) {
    const std::string text = TextOf(entry.path() / "rules.def");
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
    file = severity == Severity::kError     ? "invalid/" + slug + ".gguf"
           : severity == Severity::kWarning ? "valid/" + slug + ".warned.gguf"
                                            : "valid/" + slug + ".noted.gguf";
    const auto accepts = [&](Profile profile) {
      return rule.SeverityIn(profile) != Severity::kError;
    };
    verdict =
        VerdictWord(accepts(Profile::kGate), accepts(Profile::kLlamaCpp), accepts(Profile::kSpec));
    if (severity >= Severity::kWarning) rules = "{\"" + slug + "\"}";
  }
  if (HasExample(rule) || HasRecipe(file)) {
    return "corpus/" + file + " is not in the manifest. " + MakeCorpus();
  }
  return ExampleLine(rule) + "If one record is not enough, add these lines to corpus/recipes/" +
         RuleFolder(rule) +
         ".cc instead, with your own words and edit:\n"
         "      FromBase(\"" +
         file + "\", \"what it shows\", " + verdict + ", " + rules +
         ",\n"
         "               \"how it is made\", [](Model& m) { Append(m, \"test.key\", 1); "
         "}),\n" +
         MakeCorpus();
}

std::string MakeCorpus() { return CommandOf("make-corpus", "corpus"); }

std::string LieFor(const Rule& rule) {
  const std::string slug(rule.slug);
  const std::string name = NameOf(rule);
  const LiePlace place = PlaceOfLies(rule.family);
  const std::string table(place.table);
  const std::string prefix(rule.slug.starts_with(place.prefix) ? "" : place.prefix);
  const std::string file = table == "cross_field" ? RuleFolder(rule) : table;
  if (HasExample(rule)) {
    return std::string(kExamples) + ": the severities of the example of " + slug + " must be \"" +
           LettersOf(rule) + "\".";
  }
  return ExampleLine(rule) + "If one record is not enough, add this line to src/mutate/mutations/" +
         table +
         ".def instead, with your own words:\n"
         "GGUFGATE_LIE(" +
         name + ", \"" + prefix + slug + "\", " + std::string(place.family) + ", " +
         std::string(place.data) + ", \"" + slug +
         "\", \"what is wrong\")\n"
         "Add its function to src/mutate/lies/" +
         file +
         ".cc or a new file there (lie_context.h has tools):\n"
         "bool Lie" +
         name +
         "(MutationContext& context) {\n"
         "  if (!MakeRoom(context, kRoomForKeys)) return false;\n"
         "  return TellEntry(context, PlainEntry(context, \"test.key\", ValueType::kU32), "
         "Part::kValue);\n}\n" +
         CommandOf("make-docs", "docs");
}

std::string WitnessLineFor(const Rule& rule) {
  const std::string slug(rule.slug);
  return "src/witness/rules.cc lacks " + slug +
         ". Add this line to kKnown:\n"
         "    {\"" +
         slug + "\", \"" + LettersOf(rule) + "\"},\n" + WitnessCodeFor(rule);
}

std::string WitnessCodeFor(const Rule& rule) {
  const bool of_layout = rule.family == Family::kDataLayout;
  const std::string file = rule.family == Family::kContainer ? "read.cc"
                           : of_layout                       ? "layout.cc"
                                                             : "names.cc";
  return "src/witness/" + file + " must report " + std::string(rule.slug) +
         ". Write the condition from docs/rules.md, and add this line:\n"
         "    if (condition) Say(\"" +
         std::string(rule.slug) + "\", i);  // i: index of the record";
}

}  // namespace ggufgate::testing
