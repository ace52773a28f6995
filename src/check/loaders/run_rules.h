#pragma once

// Runs rules on a file for all loaders of a policy. Not for users of the library.

#include <span>

#include "check/finding.h"
#include "check/rules/context.h"

namespace ggufgate {

// RunRules adds the findings of some rules, each at most once in the list. Rules that ask for
// contracts judge each loader of the policy: their findings name their loaders, and equal ones are
// one finding. A rule runs once for loaders whose contracts have the same lines, of those that it
// reads. For each rule and severity RunRules keeps findings_per_rule findings, and at least one of
// each loader. `findings` has totals for all rules, and is sorted afterwards.
void RunRules(std::span<const RuleId> rules, Context& context, Findings& findings);

}  // namespace ggufgate
