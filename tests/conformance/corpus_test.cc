// Compares the corpus with its manifest, and the manifest with the rule catalogue.

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>

#include "tests/conformance/corpus.h"
#include "tests/support/matchers.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::array kProfiles = {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec};

// The files that may be larger than 8 KiB, with reasons.
bool MayBeLarge(const std::string& path) {
  return path == "valid/sample-llama.gguf" ||            // a whole model
         path == "invalid/key-length.gguf" ||            // one character too many
         path == "valid/key-length.near-miss.gguf"       // the longest allowed key
         || path.find("/expert-gating.") != path.npos    // all tensors of a model with experts
         || path.find("/cache-type.") != path.npos       // heads of 32 keys and more
         || path.find("/report-qwen35moe") != path.npos  // experts, and layers with a state
         || path == "valid/report-gemma4.gguf"           // three layers of many tensors
         || path == "valid/alignment-4096.gguf";         // the start and three tensors, 4 KiB each
}

class CorpusTest : public ::testing::TestWithParam<CorpusFile> {
 protected:
  [[nodiscard]] static Judged JudgeWith(const Policy& policy) {
    return Judge(ReadBytes(CorpusFolder() / GetParam().path), policy);
  }
};

void ExpectCauseTold(const Judged& judged, const std::string& cause) {
  std::vector<std::string> told;
  for (const Finding& finding : judged.checked.findings.list) {
    if (finding.cause) told.emplace_back(InfoOf(finding.cause.kind).slug);
  }
  EXPECT_THAT(told, Contains(cause));
}

// The verdict in the name of a folder holds for the default policy of profile gate, except for the
// depth of the scan.
void ExpectAsItsFolderSays(const Judged& judged, const std::string& path) {
  if (path.starts_with("regression/")) return;
  EXPECT_EQ(judged.Accepted(), !path.starts_with("invalid/"));
}

// Remedy shows what the gate finds, as it would be in the recipe.
std::string Remedy(const CorpusFile& file) {
  const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
  const auto judge = [&](Profile profile) { return Judge(bytes, file.PolicyIn(profile)); };
  const Judged gate = judge(Profile::kGate);
  std::string rules;
  for (const std::string& rule : gate.AllRules(Severity::kWarning)) {
    rules += (rules.empty() ? "\"" : ", \"") + rule + "\"";
  }
  if (file.recipe.starts_with("recipes/examples.cc")) {
    return "src/mutate/examples/examples.def, " + file.path +
           ". If the descriptions of the rules agree, correct the severities or the record. "
           "Profile "
           "gate reports {" +
           rules + "}. " + MakeCorpus();
  }
  return "corpus/" + file.recipe.substr(0, file.recipe.find(':')) + ", " + file.path +
         ". If the descriptions of the rules agree, write in the recipe: " +
         VerdictWord(gate.Accepted(), judge(Profile::kLlamaCpp).Accepted(),
                     judge(Profile::kSpec).Accepted()) +
         ", {" + rules + "}. " + MakeCorpus();
}

TEST_P(CorpusTest, IsAsTheManifestSays) {
  const CorpusFile& file = GetParam();
  SCOPED_TRACE(Remedy(file));
  for (const Profile profile : kProfiles) {
    const std::string word(kProfileWords.at(static_cast<std::size_t>(profile)));
    const Judged judged = JudgeWith(file.PolicyIn(profile));
    EXPECT_EQ(judged.Accepted(), file.AcceptedBy(word))
        << word << ": " << ::testing::PrintToString(judged.AllRules(Severity::kWarning));
    if (profile != Profile::kGate) continue;
    EXPECT_THAT(judged.AllRules(Severity::kWarning), ElementsAreArray(file.rules));
    if (!file.cause.empty()) ExpectCauseTold(judged, file.cause);
  }
  Policy as_it_comes = PolicyFor(Profile::kGate);
  as_it_comes.data = file.PolicyIn(Profile::kGate).data;
  ExpectAsItsFolderSays(JudgeWith(as_it_comes), file.path);
  EXPECT_LE(fs::file_size(CorpusFolder() / file.path),
            MayBeLarge(file.path) ? 192 * 1024 : 8 * 1024)
      << "Make the file smaller, or add its path to MayBeLarge in "
      << "tests/conformance/corpus_test.cc, with the reason.";
}

INSTANTIATE_TEST_SUITE_P(All, CorpusTest, ::testing::ValuesIn(Corpus()), TestNameOf);

TEST(Manifest, NamesEveryFileAndNoOther) {
  std::set<std::string> in_manifest;
  for (const CorpusFile& file : Corpus()) in_manifest.insert(file.path);
  EXPECT_EQ(in_manifest.size(), Corpus().size()) << "a file is named twice";
  for (const CorpusSet& set : CorpusSets()) {
    for (const std::string& file : set.files) in_manifest.insert(set.folder + "/" + file);
  }

  std::set<std::string> in_folders;
  for (const char* folder : {"invalid", "limits", "regression", "sets", "valid"}) {
    if (!fs::is_directory(CorpusFolder() / folder)) continue;
    for (const auto& found : fs::recursive_directory_iterator(CorpusFolder() / folder)) {
      if (found.path().filename() == "README.md" || !found.is_regular_file()) continue;
      in_folders.insert(found.path().lexically_relative(CorpusFolder()).generic_string());
    }
  }
  EXPECT_EQ(in_manifest, in_folders);
}

// --- the catalogue: no rule without a file that breaks it and one that just does not
// --------------

bool IsNearMissOf(const CorpusFile& file, const std::string& slug) {
  const std::string prefix = "valid/" + slug + ".";
  return file.path.starts_with(prefix) && file.path.ends_with("near-miss.gguf");
}

bool IsBreachOf(const CorpusFile& file, const Rule& rule) {
  const std::string slug(rule.slug);
  const Severity severity = rule.SeverityIn(Profile::kGate);
  if (severity >= Severity::kWarning && !std::ranges::count(file.rules, slug)) return false;
  if (severity == Severity::kError && file.AcceptedBy("gate")) return false;
  const std::string name = file.path.substr(file.path.find('/') + 1);
  return name.starts_with(slug + ".") && !name.ends_with("near-miss.gguf");
}

// FiredBy lists all rules with findings for a file, including notes.
std::vector<std::string> FiredBy(const CorpusFile& file) {
  return Judge(ReadBytes(CorpusFolder() / file.path), file.PolicyIn(Profile::kGate)).AllRules();
}

// No file breaks the rules about stores: tests/stores/store_reports_test.cc has their examples.
TEST(Catalogue, EveryRuleHasAFileThatBreaksIt) {
  for (const Rule& rule : AllRules()) {
    if (IsOutsideFiles(rule.family)) continue;
    const std::string slug(rule.slug);
    const auto found = std::ranges::find_if(
        Corpus(), [&](const CorpusFile& file) { return IsBreachOf(file, rule); });
    if (found == Corpus().end()) {
      ADD_FAILURE() << RecipeFor(rule, /*near_miss=*/false);
      continue;
    }
    EXPECT_THAT(FiredBy(*found), Contains(slug)) << found->path;
  }
}

TEST(Catalogue, EveryRuleHasANearMiss) {
  for (const Rule& rule : AllRules()) {
    if (IsOutsideFiles(rule.family)) continue;
    const std::string slug(rule.slug);
    std::size_t near_misses = 0;
    for (const CorpusFile& file : Corpus()) {
      if (!IsNearMissOf(file, slug)) continue;
      ++near_misses;
      EXPECT_TRUE(file.AcceptedBy("gate")) << file.path;
      EXPECT_THAT(FiredBy(file), Not(Contains(slug))) << file.path;
    }
    EXPECT_GT(near_misses, 0U) << RecipeFor(rule, /*near_miss=*/true);
  }
}

TEST(Catalogue, ManifestNamesOnlyRulesThereAre) {
  for (const CorpusFile& file : Corpus()) {
    for (const std::string& slug : file.rules) {
      EXPECT_NE(FindRule(slug), nullptr) << file.path << ": " << slug;
    }
  }
}

TEST(Catalogue, ManifestNamesOnlyLimitsThereAre) {
  for (const CorpusFile& file : Corpus()) {
    for (const auto& [name, value] : file.limits) {
      EXPECT_TRUE(std::ranges::count(AllLimits(), name, &LimitInfo::name)) << file.path << name;
    }
  }
}

TEST(Catalogue, EveryValueAndTensorTypeHasAFile) {
  const auto has = [](std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::count(Corpus(), "valid/" + name + ".gguf", &CorpusFile::path) == 1;
  };
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    EXPECT_TRUE(has("tensor-" + std::string(type.name))) << type.name;
  }
  for (std::uint32_t id = 0; FindValueType(id) != nullptr; ++id) {
    const ValueTypeInfo& type = *FindValueType(id);
    if (type.type == ValueType::kArray) continue;  // each value-*.gguf has arrays
    EXPECT_TRUE(has("value-" + std::string(type.word))) << type.word;
  }
}

}  // namespace
}  // namespace ggufgate::testing
