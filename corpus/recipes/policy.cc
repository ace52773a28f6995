// What only a policy forbids.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes PolicyRecipes() { return {}; }

}  // namespace ggufgate::corpus
