#pragma once

#include "check/cause/cause.h"
#include "check/finding.h"
#include "check/rules/context.h"

namespace ggufgate {

// Diagnose looks for what happened to a file that has `finding`, a structural one.
[[nodiscard]] Cause Diagnose(const Context& context, const Finding& finding);

}  // namespace ggufgate
