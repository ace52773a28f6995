// Files that only a policy forbids: their recipes contain the lists that they break. Without a
// policy all of them are accepted, so they are in limits/.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using Lists = std::map<std::string, std::vector<std::string>>;

Recipe Under(Lists policy, std::string file, std::string shows, std::vector<std::string> rules,
             std::string recipe, std::function<void(Model&)> edit) {
  const Verdict verdict = rules.empty() ? kAccept : kReject;
  Recipe made = FromBase(std::move(file), std::move(shows), verdict, std::move(rules),
                         std::move(recipe), std::move(edit));
  made.policy = std::move(policy);
  return made;
}

void Unchanged(Model&) {}

}  // namespace

Recipes PolicyRecipes() {
  const Lists architectures = {{"architectures", {"llama", "tests"}}};
  const Lists own_architecture = {{"architectures", {"llama", "test"}}};
  const Lists halves = {{"tensor_types", {"F16", "BF16"}}};
  const Lists floats = {{"tensor_types", {"F16", "F32"}}};
  return {
      Under(architectures, "limits/architecture-not-allowed.gguf",
            "architecture `test` where `llama` and `tests` are allowed",
            {"architecture-not-allowed"}, "as it is", Unchanged),
      Under(own_architecture, "valid/architecture-not-allowed.near-miss.gguf",
            "architecture `test`, one of the two allowed", {}, "as it is", Unchanged),
      Under(halves, "limits/tensor-type-not-allowed.gguf",
            "a tensor of type F32 where F16 and BF16 are allowed", {"tensor-type-not-allowed"},
            "as it is", Unchanged),
      Under(floats, "valid/tensor-type-not-allowed.near-miss.gguf",
            "a tensor of type F32, one of the two allowed", {}, "as it is", Unchanged),
  };
}

}  // namespace ggufgate::corpus
