#pragma once

// One operand of `and`, `or` and `not` in a condition. Internal to this module.

#include <initializer_list>

#include "jinja/hollow/hollow.h"

namespace ggufgate {

[[nodiscard]] bool IsOneOf(const JinjaToken& token, std::initializer_list<JinjaWord> words);

// TryAtom does what TryHollow() does for one operand: a path from a parameter that is compared,
// tested or counted, or a search for a text in a path.
[[nodiscard]] HollowOutcome TryAtom(JinjaTokens atom, const TemplateScope& scope);

}  // namespace ggufgate
