#pragma once

#include "check/finding.h"
#include "check/rules/context.h"
#include "parse/fault.h"

namespace ggufgate {

// ReportFault reports the fault at which parsing stopped, if any, as a finding of a rule.
void ReportFault(const Context& context, Findings& findings);

// RuleFor returns the rule that a structural fault breaks.
[[nodiscard]] RuleId RuleFor(FaultKind kind);

}  // namespace ggufgate
