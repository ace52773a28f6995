#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// FollowNames ends a reading. It completes the records of growth: an object that a method adds to
// grows for all names that mean it. It records the circles of names for the next reading.
//
// If it `spreads` sizes, it makes names at least as large as the values that they are set from. A
// reading alone does not tell: `ns.a = ns.b` may be above the code that makes ns.b large.
void FollowNames(TemplateScope& scope, bool spreads);

}  // namespace ggufgate
