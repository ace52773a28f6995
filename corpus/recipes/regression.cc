// Files that once made something of ours fail, as small as they could be made. They stay.
//
// A file that a fuzzer found goes in as hexadecimal digits:
//
//   {.file = "regression/0001-what-it-was.gguf",
//    .shows = "what went wrong, in one sentence, and the commit that mended it",
//    .verdict = kReject,
//    .rules = {"string-length"},
//    .recipe = "found by fuzz target parse, minimised",
//    .make = FromHex("47475546 03000000 …")},

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

Recipes RegressionRecipes() { return {}; }

}  // namespace ggufgate::corpus
