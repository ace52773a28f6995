#pragma once

// Recipes in their folders, and the gate's findings for the file that a recipe describes.

#include <string>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"
#include "tests/published/recipe.h"

namespace ggufgate::published {

// RecipesIn lists the recipes of a folder of tests/published, by their names without the extension.
[[nodiscard]] std::vector<std::string> RecipesIn(const std::string& folder);

// Load reads a recipe. If it cannot be read, it fails the test.
[[nodiscard]] Recipe Load(const std::string& folder, const std::string& name);

// JudgedFile is the gate's result for a file: its verdict, and errors and warnings.
struct JudgedFile {
  bool accepted = false;
  std::vector<Finding> findings = {};

  // One line per finding, except for the rules in `expected`.
  [[nodiscard]] std::string Unexpected(const std::map<std::string, std::string>& expected) const;
  [[nodiscard]] bool Fired(std::string_view rule) const;
};

// JudgeModel checks the file of a model whose tensors are laid out without data.
[[nodiscard]] JudgedFile JudgeModel(const Model& model, std::uint64_t data_bytes,
                                    const Policy& policy);

}  // namespace ggufgate::published
