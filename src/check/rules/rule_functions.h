#pragma once

// For the .cc files of rules: the rule functions, their context and their sink.

#include "check/rules/context.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"

namespace ggufgate {

// Declares one function per rule, from the table. Rules whose violations only the parser finds have
// no function.
#define GGUFGATE_RULE_NAME(name, wordings) void Check##name(const Context& context, Sink& sink);
#include "check/rule_names.def"
#undef GGUFGATE_RULE_NAME

}  // namespace ggufgate
