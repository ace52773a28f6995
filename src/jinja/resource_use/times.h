#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CountTimes computes how often each macro runs, from the calls of the current reading. Each call
// counts once for each round of the loops around it and for each run of the macro around it. A
// recursive call does not count: CheckRecursion() checks those.
void CountTimes(TemplateScope& scope);

}  // namespace ggufgate
