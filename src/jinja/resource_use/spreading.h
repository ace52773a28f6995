#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// FollowNames completes a reading. It completes the records of growth: if a method adds to an
// object, all names of that object grow. It records the circles of names for the next reading.
//
// If it `spreads` sizes, it makes each name at least as large as the values that the name is set
// from. A single reading cannot do this, because `ns.a = ns.b` may precede the code that makes ns.b
// large.
void FollowNames(TemplateScope& scope, bool spreads);

}  // namespace ggufgate
