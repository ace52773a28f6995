#pragma once

#include "check/finding.h"
#include "check/rules/context.h"
#include "parse/fault.h"

namespace ggufgate {

// ReportFault turns the parser's fault, if there is one, into a finding of the rule it breaks.
void ReportFault(const Context& context, Findings& findings);

// RuleFor tells which rule a structural fault breaks.
[[nodiscard]] RuleId RuleFor(FaultKind kind);

}  // namespace ggufgate
