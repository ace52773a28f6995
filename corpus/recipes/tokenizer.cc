// Vocabularies and special tokens.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes TokenizerRecipes() { return {}; }

}  // namespace ggufgate::corpus
