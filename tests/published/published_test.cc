// Files rebuilt from the metadata of published models: the gate accepts them, and has nothing to
// say.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/published/judged.h"

namespace ggufgate::published {
namespace {

// ExpectQuiet: accepted, and no finding but those that the recipe gives a reason for, each of them.
void ExpectQuiet(const std::string& folder, const std::string& name, const Policy& policy) {
  SCOPED_TRACE(name);
  const Recipe recipe = Load(folder, name);
  const JudgedFile judged = JudgeModel(recipe.model, recipe.data_bytes, policy);
  EXPECT_TRUE(judged.accepted);
  EXPECT_EQ(judged.Unexpected(recipe.warns), "");
  for (const auto& [rule, reason] : recipe.warns) EXPECT_TRUE(judged.Fired(rule)) << rule;
}

std::string ArchitectureOf(const Model& model) {
  const auto entry = std::ranges::find(model.metadata, "general.architecture", &Model::Entry::key);
  if (entry == model.metadata.end()) return {};
  return {entry->payload.begin() + 8, entry->payload.end()};
}

TEST(Published, ModelsAreAcceptedWithoutAWord) {
  for (const std::string& name : RecipesIn("models")) {
    ExpectQuiet("models", name, PolicyFor(Profile::kGate));
  }
}

TEST(Published, ProjectorsAdaptersAndTheLikeAreAcceptedWithoutAWord) {
  for (const std::string& name : RecipesIn("sidecars")) {
    ExpectQuiet("sidecars", name, PolicyFor(Profile::kGate));
  }
}

TEST(Published, ModelsAreOfManyArchitectures) {
  std::set<std::string> architectures;
  for (const std::string& name : RecipesIn("models")) {
    architectures.insert(ArchitectureOf(Load("models", name).model));
  }
  EXPECT_GE(architectures.size(), 50U);
}

}  // namespace
}  // namespace ggufgate::published
