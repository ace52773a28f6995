#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckWeights adds up the cost of macros that call each other, with the records of the last
// reading: the steps of their code for each call, and its depth within the calling code. How often
// a macro calls itself is up to the conversation (jinja/costs/recursion.h), and counts once.
void CheckWeights(TemplateScope& scope);

}  // namespace ggufgate
