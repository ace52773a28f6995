#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckRecursion looks for macros that call themselves, directly or in a ring, with the records of
// the last reading.
//
// Published templates walk JSON schemas with macros that call themselves. Such a walk ends if each
// call passes a smaller part of the same argument, and if no call is made once the argument is
// hollow (jinja/hollow/hollow.h). All other recursion may overflow the stack of an engine.
void CheckRecursion(TemplateScope& scope);

}  // namespace ggufgate
