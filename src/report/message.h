#pragma once

#include <string>
#include <string_view>

#include "check/finding.h"
#include "check/rule.h"

namespace ggufgate {

// MessageFor says a finding in words: the rule's message with the finding's values in it. Text from
// the file is escaped.
[[nodiscard]] std::string MessageFor(const Finding& finding);

// PathFor names the record a finding speaks of: `tokenizer.ggml.tokens[431]`,
// `blk.0.attn_q.weight`, `metadata[17]` for a key that was not read, `header`; empty for the file
// as a whole.
[[nodiscard]] std::string PathFor(const Subject& subject);

// CauseText says what happened to the file; AdviceFor what to do about it.
[[nodiscard]] std::string CauseText(const Cause& cause);
[[nodiscard]] std::string_view AdviceFor(const Cause& cause);

// FillIn replaces {name} and {name:format} in `pattern`. `value` is called with both, without the
// colon, and gives the text.
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
