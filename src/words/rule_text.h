#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/rule.h"

namespace ggufgate {

// ReportList splits the published reports of a rule: "CVE-2024-32878", "llama.cpp#24884".
[[nodiscard]] std::vector<std::string_view> ReportList(const Rule& rule);

// CweOf is "CWE-190"; empty where the rule has no weakness.
[[nodiscard]] std::string CweOf(const Rule& rule);

// WeaknessText is "CWE-190, memory is corrupted: 7.8 of 10 (CVSS:3.1/…)"; empty without a weakness.
[[nodiscard]] std::string WeaknessText(const Rule& rule);

// RuleText is all that is known of a rule besides its condition, a paragraph each: why, repair,
// loaders, weakness, published reports. RuleMarkdown is the same with the beginnings in bold, and
// links to CWE, CVE and GHSA entries.
[[nodiscard]] std::string RuleText(const Rule& rule);
[[nodiscard]] std::string RuleMarkdown(const Rule& rule);

// MarkdownText escapes what would be markup, but for `code`, which the catalogue uses itself.
[[nodiscard]] std::string MarkdownText(std::string_view text);

}  // namespace ggufgate
