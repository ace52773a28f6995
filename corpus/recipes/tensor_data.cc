// The values in the tensors.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes TensorDataRecipes() { return {}; }

}  // namespace ggufgate::corpus
