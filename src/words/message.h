#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/rule.h"

namespace ggufgate {

// MessageFor describes a finding in words: the rule's message with the values of the finding. Text
// from the file is escaped.
[[nodiscard]] std::string MessageFor(const Finding& finding);

// PathFor names the record of a finding: `tokenizer.ggml.tokens[431]`, `blk.0.attn_q.weight`,
// `header`, or `metadata[17]` for a key that was not read. It is empty for the whole file.
[[nodiscard]] std::string PathFor(const Subject& subject);

// CauseText describes the probable damage of the file. AdviceFor returns the remedy.
[[nodiscard]] std::string CauseText(const Cause& cause);
[[nodiscard]] std::string_view AdviceFor(const Cause& cause);

// SentenceFor describes a finding on one line, for formats that show only this text: "weight: data
// ends at byte 160; the file has 144: 16 bytes missing (at byte 0x80): the file was cut short;
// fetch it again".
[[nodiscard]] std::string SentenceFor(const Finding& finding);

// SuppressionOf returns the reason why the policy suppresses a finding, or nullopt if the finding
// counts.
[[nodiscard]] std::optional<std::string> SuppressionOf(const Finding& finding);

// Unlisted is the number of findings of a rule that were not kept. Suppressed findings are counted
// separately.
struct Unlisted {
  std::string_view rule;  // its slug
  std::uint64_t count = 0;
  bool suppressed = false;
};
[[nodiscard]] std::vector<Unlisted> UnlistedIn(const Findings& findings);

// FillIn replaces {name} and {name:format} in `pattern`. It calls `value` with both, without the
// colon, to get the text.
template <typename Value>
[[nodiscard]] std::string FillIn(std::string_view pattern, Value value) {
  std::string out;
  while (true) {
    const std::size_t open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = pattern.find('}', open);
    const std::string_view inside = pattern.substr(open + 1, close - open - 1);
    const std::size_t colon = inside.find(':');
    out += value(inside.substr(0, colon),
                 colon == std::string_view::npos ? std::string_view() : inside.substr(colon + 1));
    pattern.remove_prefix(close + 1);
  }
}

}  // namespace ggufgate
