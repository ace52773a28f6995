#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "report/pages/web_files.h"

namespace ggufgate {

// HtmlText is text for HTML, between tags or in an attribute within double quotes; what came from a
// file is escaped with EscapeText() as well, as everywhere. ASCII.
[[nodiscard]] std::string HtmlText(std::string_view text);

// BeginPage writes a page up to and with <body>. Nothing is fetched, and no script runs but
// `script`: the page's content security policy names both files by their hash.
void BeginPage(std::string_view title, const WebFile& style, const WebFile& script,
               std::ostream& out);

// EndPage writes the script and the end of the page.
void EndPage(const WebFile& script, std::ostream& out);

// JsonInPage is JSON within <script type="application/json">, which nothing in it can end.
[[nodiscard]] std::string JsonInPage(const nlohmann::ordered_json& json);

}  // namespace ggufgate
