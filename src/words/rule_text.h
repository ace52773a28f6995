#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/rule.h"

namespace ggufgate {

// ReportList splits the published reports of a rule: "CVE-2024-32878", "llama.cpp#24884".
[[nodiscard]] std::vector<std::string_view> ReportList(const Rule& rule);

// CweOf returns "CWE-190", or an empty text if the rule has no weakness.
[[nodiscard]] std::string CweOf(const Rule& rule);

// WeaknessText returns "CWE-190, memory is corrupted: CVSS score 7.8 of 10 (CVSS:3.1/…)", or an
// empty text without a weakness.
[[nodiscard]] std::string WeaknessText(const Rule& rule);

// RuleText returns all facts about a rule besides its condition, one paragraph each: why, repair,
// loaders, weakness, published reports. RuleMarkdown returns the same with bold headings, and links
// to CWE, CVE and GHSA entries.
[[nodiscard]] std::string RuleText(const Rule& rule);
[[nodiscard]] std::string RuleMarkdown(const Rule& rule);

// MarkdownText escapes Markdown markup, except `code`, which the catalogue uses.
[[nodiscard]] std::string MarkdownText(std::string_view text);

}  // namespace ggufgate
