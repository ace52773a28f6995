#pragma once

// Common code of the recipes that rebuild files of public reports.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

using ReportEdit = std::function<void(Model&)>;

// Report returns the recipe of a file made of `model` after `edit`. The numbers of the reports
// become its origin.
Recipe Report(std::string file, std::string numbers, std::string shows, Verdict verdict,
              std::vector<std::string> rules, std::string recipe, Model model,
              const ReportEdit& edit);

void WithoutKey(Model& model, std::string_view key);
void WithoutTensor(Model& model, std::string_view name);
Model::Tensor& TensorNamed(Model& model, std::string_view name);
// ReportShape gives a tensor another shape of two dimensions, with data.
void ReportShape(Model& model, std::string_view name, std::vector<std::uint64_t> dims);

}  // namespace ggufgate::corpus
