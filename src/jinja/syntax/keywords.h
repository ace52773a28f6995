#pragma once

// Keywords in the code of a template, which Jinja also accepts as names. Internal to this module.

#include "jinja/syntax/tokens.h"

namespace ggufgate {

// AmbiguousToken returns the first token that engines parse in different ways, or nullptr. This is
// a keyword where Jinja2 accepts it as a name (`{{ if(x) }}`, `'a' ~ not`, `x is eq if(y)`, `set
// not = …`), or a number directly before a name (`0or[x]`, `0b0or(x)`).
[[nodiscard]] const JinjaToken* AmbiguousToken(const JinjaSpan& span);

}  // namespace ggufgate
