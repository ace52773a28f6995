#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// IsFolded tells that a name is its own fold: ASCII without capitals, and no white space at its
// ends. Nearly all names are; of some others, which are not ASCII, it is not told.
[[nodiscard]] bool IsFolded(std::string_view name);

// AppendFold appends the fold of a name: two names have the same when a reader that ignores case,
// brings Unicode into one form or trims white space may take one for the other.
//
// It is the key of Unicode's compatibility caseless match (Unicode 14.0, definition D146), by
// tables of our own: the rooms below the gate use no library, and verdicts are the same in every
// build. Case alone is folded where a name is longer than 1024 bytes, or is no UTF-8.
void AppendFold(std::string_view name, std::string& out);

}  // namespace ggufgate
