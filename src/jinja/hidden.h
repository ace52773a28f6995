#pragma once

// What a chat template hides from who reads it: characters that are not seen, addresses. Not for
// users of the library.

#include <string_view>
#include <vector>

#include "jinja/template.h"

namespace ggufgate {

// FindInvisible lists runs of characters that are not seen or that turn the direction of text. What
// script and emoji need is not listed: joiners between letters of Arabic or Indic scripts and
// between pictures, marks beside right-to-left letters, the tags of a flag, one variation selector
// after a character, a byte order mark at the start.
[[nodiscard]] std::vector<HiddenText> FindInvisible(std::string_view text);

// FindAddresses lists the addresses that a template writes out or holds in its code, comments left
// out. Names kept for examples (RFC 2606) and the schemas of JSON and XML are none.
[[nodiscard]] std::vector<HiddenText> FindAddresses(std::string_view text);

}  // namespace ggufgate
