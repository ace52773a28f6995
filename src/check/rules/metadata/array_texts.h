#pragma once

// What the arrays of strings hold, found in one pass for all rules that ask. Not for users of the
// library.

#include "check/sink.h"

namespace ggufgate {

// ArrayTexts says of the strings of one entry, in all its arrays, what none of them is. Where it
// cannot tell, a rule looks at the strings one by one.
struct ArrayTexts {
  bool all_utf8 = true;
  bool may_hold_nul = false;
  bool may_hold_mark = false;  // a byte order mark (U+FEFF)
};

// ArrayTextsOf is what is known of the entry of that number.
[[nodiscard]] const ArrayTexts& ArrayTextsOf(const Context& context, std::size_t entry);

}  // namespace ggufgate
