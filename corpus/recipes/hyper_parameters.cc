// What an architecture says of itself.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes HyperParameterRecipes() { return {}; }

}  // namespace ggufgate::corpus
