#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/rule.h"

namespace ggufgate {

// ReportList splits the published reports of a rule: "CVE-2024-32878", "llama.cpp#24884".
[[nodiscard]] std::vector<std::string_view> ReportList(const Rule& rule);

// RuleText is all that is known of a rule besides its condition, a paragraph each: why, repair,
// loaders, published reports. RuleMarkdown is the same with the beginnings in bold, and links to
// CVE and GHSA entries.
[[nodiscard]] std::string RuleText(const Rule& rule);
[[nodiscard]] std::string RuleMarkdown(const Rule& rule);

// MarkdownText escapes what would be markup, but for `code`, which the catalogue uses itself.
[[nodiscard]] std::string MarkdownText(std::string_view text);

}  // namespace ggufgate
