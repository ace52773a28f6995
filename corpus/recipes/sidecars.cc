// Projectors, adapters, control vectors, shards.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes SidecarRecipes() { return {}; }

}  // namespace ggufgate::corpus
