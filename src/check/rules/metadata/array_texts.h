#pragma once

// Facts about arrays of strings, from one pass for all rules. Not for users of the library.

#include "check/rules/context.h"

namespace ggufgate {

// ArrayTexts are facts about all strings in the arrays of one entry. Where they do not clear the
// strings, a rule looks at each.
struct ArrayTexts {
  bool all_utf8 = true;
  bool may_hold_nul = false;
  bool may_hold_mark = false;  // a byte order mark (U+FEFF)
};

// ArrayTextsOf gives the facts about the entry of that number.
[[nodiscard]] const ArrayTexts& ArrayTextsOf(const Context& context, std::size_t entry);

}  // namespace ggufgate
