#pragma once

// Each rule's .cc file includes this header: the rule functions, their context and their sink.

#include "check/rules/context.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"

namespace ggufgate {

// One function a rule, declared from the table. Rules that only the parser's fault breaks have
// none.
#define GGUFGATE_RULE_NAME(name, wordings) void Check##name(const Context& context, Sink& sink);
#include "check/rule_names.def"
#undef GGUFGATE_RULE_NAME

}  // namespace ggufgate
