#pragma once

// Facts about arrays of strings, from one pass for all rules. Not for users of the library.

#include "check/rules/context.h"

namespace ggufgate {

// ArrayTexts has facts about all strings in the arrays of one entry. If the facts do not exclude a
// violation, a rule checks each string.
struct ArrayTexts {
  bool all_utf8 = true;
  bool may_hold_nul = false;
  bool may_hold_mark = false;  // a byte order mark (U+FEFF)
};

// ArrayTextsOf returns the facts about the entry with index `entry`.
[[nodiscard]] const ArrayTexts& ArrayTextsOf(const Context& context, std::size_t entry);

}  // namespace ggufgate
