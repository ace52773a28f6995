#pragma once

// Keywords in the code of a template, which Jinja also takes as names. Not for users of the
// library.

#include "jinja/syntax/tokens.h"

namespace ggufgate {

// AmbiguousToken returns the first token that engines read in different ways, or nullptr. That is a
// keyword in a place where Jinja2 takes it as a name (`{{ if(x) }}`, `'a' ~ not`,
// `x is eq if(y)`, `set not = …`), or a number that runs into a name (`0or[x]`, `0b0or(x)`).
[[nodiscard]] const JinjaToken* AmbiguousToken(const JinjaSpan& span);

}  // namespace ggufgate
