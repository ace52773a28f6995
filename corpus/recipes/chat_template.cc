// Chat templates.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes ChatTemplateRecipes() { return {}; }

}  // namespace ggufgate::corpus
