#pragma once

#include "check/cause/cause.h"
#include "check/finding.h"
#include "check/rules/context.h"

namespace ggufgate {

// Diagnose finds the cause of `finding`, which must be a structural one.
[[nodiscard]] Cause Diagnose(const Context& context, const Finding& finding);

}  // namespace ggufgate
