#pragma once

#include <cstdint>
#include <string_view>

namespace ggufgate {

// BeginsText says when a text gets the token for its beginning.
enum class BeginsText : std::uint8_t { kIfSaid, kUnlessSaid, kAlways };

// Blanks is what a pre-tokenizer makes of the blanks in a text, before byte pairs are joined.
enum class Blanks : std::uint8_t {
  kByteLevel,  // bytes become letters: a blank is U+0120
  kEscaped,    // a blank becomes U+2581; tokens are the text itself
  kRaw,        // blanks stay
};

// PretokenizerInfo is one line of pretokenizers.def.
struct PretokenizerInfo {
  std::string_view word;
  BeginsText begins;
  bool has_default_begin;  // the tokenizer's default id for it holds
  Blanks blanks;
  bool needs_merges;
};

// FindPretokenizer looks up a value of `tokenizer.ggml.pre`; nullptr when nothing is known of it.
[[nodiscard]] const PretokenizerInfo* FindPretokenizer(std::string_view word);

}  // namespace ggufgate
