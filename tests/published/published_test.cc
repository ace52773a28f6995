// Files rebuilt from the metadata of published models: the gate accepts them without findings.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tests/published/judged.h"

namespace ggufgate::published {
namespace {

// ExpectQuiet expects an accepted file with exactly the findings for which the recipe gives a
// reason.
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

// Each of them loaded in measurements.
TEST(Published, ModelsAreAcceptedByTheProfileOfTheirLoader) {
  for (const std::string& name : RecipesIn("models")) {
    const Recipe recipe = Load("models", name);
    const JudgedFile judged =
        JudgeModel(recipe.model, recipe.data_bytes, PolicyFor(Profile::kLlamaCpp));
    EXPECT_TRUE(judged.accepted) << name << "\n" << judged.Unexpected({});
  }
}

TEST(Published, ProjectorsAdaptersAndTheLikeAreAcceptedWithoutAWord) {
  for (const std::string& name : RecipesIn("sidecars")) {
    ExpectQuiet("sidecars", name, PolicyFor(Profile::kGate));
  }
}

// Models that llama.cpp cannot load, but the loaders of image models can.
const std::map<std::string, std::string> kOnlyOfImageModels = {
    {"tensor-name-length", "names of 64 to 127 bytes"},
    {"tensor-dimensions", "five dimensions"},
};

// DiffusionProfile returns the profile for the loaders of image models, or nullopt if there is
// none.
std::optional<Profile> DiffusionProfile() {
  const auto word = std::ranges::find(kProfileWords, "diffusion");
  if (word == kProfileWords.end()) return std::nullopt;
  return static_cast<Profile>(word - kProfileWords.begin());
}

TEST(Published, ImageAndVideoModelsAreAccepted) {
  if (!DiffusionProfile()) GTEST_SKIP() << "there is no profile diffusion";
  for (const std::string& name : RecipesIn("diffusion")) {
    SCOPED_TRACE(name);
    const Recipe recipe = Load("diffusion", name);
    const JudgedFile judged =
        JudgeModel(recipe.model, recipe.data_bytes, PolicyFor(Profile::kGate));
    EXPECT_TRUE(judged.accepted);
    EXPECT_EQ(judged.Unexpected(kOnlyOfImageModels), "");
  }
}

TEST(Published, ImageAndVideoModelsAreAcceptedWithoutAWordByTheirProfile) {
  const std::optional<Profile> profile = DiffusionProfile();
  if (!profile) GTEST_SKIP() << "there is no profile diffusion";
  for (const std::string& name : RecipesIn("diffusion")) {
    ExpectQuiet("diffusion", name, PolicyFor(*profile));
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
