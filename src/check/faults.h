#pragma once

#include "check/finding.h"
#include "check/rules/context.h"
#include "parse/fault.h"

namespace ggufgate {

// ReportFault reports the parser's fault, if any, as a finding of the rule that it breaks.
void ReportFault(const Context& context, Findings& findings);

// RuleFor returns the rule that a structural fault breaks.
[[nodiscard]] RuleId RuleFor(FaultKind kind);

}  // namespace ggufgate
