#pragma once

// Parts of a chat template that its readers do not see: invisible characters, addresses. Internal
// to this module.

#include <string_view>
#include <vector>

#include "jinja/template.h"

namespace ggufgate {

// FindInvisible lists runs of characters that are invisible or that change the direction of text.
// It excludes characters that scripts and emoji need: joiners between letters of Arabic or Indic
// scripts and between pictures, marks next to right-to-left letters, the tags of a flag, one
// variation selector after a character, and a byte order mark at the start.
[[nodiscard]] std::vector<HiddenText> FindInvisible(std::string_view text);

// FindAddresses lists the addresses that a template writes or has in its code, except in comments.
// It excludes example names (RFC 2606) and the schemas of JSON and XML.
[[nodiscard]] std::vector<HiddenText> FindAddresses(std::string_view text);

}  // namespace ggufgate
