#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CountTimes finds out how often each macro runs, with the calls of the reading that ends: each
// call counts once for each round of the loops around it and for each run of the macro around it.
// A call back to a macro that is running does not count: CheckRecursion() judges those.
void CountTimes(TemplateScope& scope);

}  // namespace ggufgate
