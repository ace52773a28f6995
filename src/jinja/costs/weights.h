#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckWeights adds up what macros cost that call each other, by what the last reading saw: the
// steps of their code, as often as it is called, and how deep it is within what calls it. How often
// a macro calls itself is up to the conversation (jinja/costs/recursion.h), and counts once.
void CheckWeights(TemplateScope& scope);

}  // namespace ggufgate
