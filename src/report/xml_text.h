#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// XmlText makes escaped text (see EscapeText) fit for the content and the attributes of XML 1.0.
// The result is ASCII: all other characters become references. Total: what XML has no way to hold,
// which escaped text does not contain, becomes a question mark.
[[nodiscard]] std::string XmlText(std::string_view text);

}  // namespace ggufgate
