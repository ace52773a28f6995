#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "report/pages/web_files.h"

namespace ggufgate {

// HtmlText returns text for HTML, between tags or in an attribute within double quotes. Text from a
// file must also be escaped with EscapeText(), as everywhere. The result is ASCII.
[[nodiscard]] std::string HtmlText(std::string_view text);

// BeginPage writes a page up to and including <body>. The page loads nothing, and runs only
// `script`: its content security policy names both files by their hash.
void BeginPage(std::string_view title, const WebFile& style, const WebFile& script,
               std::ostream& out);

// EndPage writes the script and the end of the page.
void EndPage(const WebFile& script, std::ostream& out);

// JsonInPage returns JSON for <script type="application/json">. No text in it can close that
// element.
[[nodiscard]] std::string JsonInPage(const nlohmann::ordered_json& json);

}  // namespace ggufgate
