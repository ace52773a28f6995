#pragma once

// Recipes in their folders, and what the gate says of the file that one describes.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"
#include "tests/published/recipe.h"

namespace ggufgate::published {

// RecipesIn lists the recipes of a folder of tests/published, by their names without ending.
[[nodiscard]] std::vector<std::string> RecipesIn(const std::string& folder);

// Load reads a recipe, and fails the test where it cannot be read.
[[nodiscard]] Recipe Load(const std::string& folder, const std::string& name);

// JudgedFile is what the gate said of a file: its verdict, and errors and warnings.
struct JudgedFile {
  bool accepted = false;
  std::vector<Finding> findings = {};

  // One line for each finding, but for those of rules that `expected` names.
  [[nodiscard]] std::string Unexpected(const std::map<std::string, std::string>& expected) const;
  [[nodiscard]] bool Fired(std::string_view rule) const;
};

// ExpectedFindings returns the rules that a recipe gives a reason for, warnings and errors.
[[nodiscard]] std::map<std::string, std::string> ExpectedFindings(const Recipe& recipe);

// JudgeModel judges the file of a model whose tensors are laid out without data.
[[nodiscard]] JudgedFile JudgeModel(const Model& model, std::uint64_t data_bytes,
                                    const Policy& policy);

}  // namespace ggufgate::published
