#pragma once

// One operand of `and`, `or` and `not` in a condition. Not for users of the library.

#include <initializer_list>

#include "jinja/hollow/hollow.h"

namespace ggufgate {

[[nodiscard]] bool IsOneOf(const JinjaToken& token, std::initializer_list<JinjaWord> words);

// TryAtom is TryHollow() of one operand: a path from a parameter that is compared, tested or
// counted, or a text that is looked for in one.
[[nodiscard]] HollowOutcome TryAtom(JinjaTokens atom, const TemplateScope& scope);

}  // namespace ggufgate
