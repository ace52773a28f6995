#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckWeights adds up the cost of macros that call each other, with the records of the last
// reading: the steps of their code for each call, and their depth within the calling code. The
// conversation decides how often a macro calls itself (jinja/resource_use/recursion.h), so such
// calls count once.
void CheckWeights(TemplateScope& scope);

}  // namespace ggufgate
