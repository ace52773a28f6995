#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// XmlText converts escaped text (see EscapeText) for the content and the attributes of XML 1.0. The
// result is ASCII: all other characters become references. A character that XML cannot represent
// becomes a question mark; escaped text contains none.
[[nodiscard]] std::string XmlText(std::string_view text);

}  // namespace ggufgate
