#include "tests/published/judged.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/check.h"
#include "check/rule.h"
#include "gate/reading/read_document.h"
#include "tests/published/hollow_source.h"
#include "words/message.h"

namespace ggufgate::published {
namespace {

std::filesystem::path FolderOf(const std::string& folder) {
  return std::filesystem::path(GGUFGATE_SOURCE_DIR) / "tests/published" / folder;
}

}  // namespace

std::vector<std::string> RecipesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FolderOf(folder))) {
    if (entry.path().extension() == ".recipe") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

Recipe Load(const std::string& folder, const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(FolderOf(folder) / (name + ".recipe")).rdbuf();
  Recipe recipe = ReadRecipe(text.str());
  EXPECT_EQ(recipe.problem, "") << name;
  return recipe;
}

std::string JudgedFile::Unexpected(const std::map<std::string, std::string>& expected) const {
  std::string text;
  for (const Finding& finding : findings) {
    const auto& rule = RuleOf(finding.rule);
    const std::string slug(rule.slug);
    if (expected.contains(slug)) continue;
    text += slug + ": " + SentenceFor(finding) + "\n";
  }
  return text;
}

bool JudgedFile::Fired(std::string_view rule) const {
  return std::ranges::any_of(
      findings, [&](const Finding& finding) { return RuleOf(finding.rule).slug == rule; });
}

std::map<std::string, std::string> ExpectedFindings(const Recipe& recipe) {
  std::map<std::string, std::string> expected = recipe.warns;
  expected.insert(recipe.rejects.begin(), recipe.rejects.end());
  return expected;
}

JudgedFile JudgeModel(const Model& model, std::uint64_t data_bytes, const Policy& policy) {
  const HollowSource source(Write(model), data_bytes);
  const auto read = ReadDocument::Read(source, policy.limits);
  if (!read.ok()) {
    ADD_FAILURE() << read.status().ToString();
    return {};
  }
  CheckResult checked = Check(read->document(), source, policy);
  EXPECT_TRUE(checked.io.complete());
  JudgedFile judged{.accepted = checked.Worst() < policy.fail_on};
  for (Finding& finding : checked.findings.list) {
    if (finding.severity >= Severity::kWarning) judged.findings.push_back(std::move(finding));
  }
  return judged;
}

}  // namespace ggufgate::published
