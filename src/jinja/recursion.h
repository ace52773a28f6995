#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckRecursion looks for macros that call themselves, by what the last reading saw.
//
// Published templates walk JSON schemas with macros that call themselves under a condition; whether
// such a walk ends is up to the conversation. What is certain never to end is a call made whatever
// the condition: directly, or around a circle of macros.
void CheckRecursion(TemplateScope& scope);

}  // namespace ggufgate
