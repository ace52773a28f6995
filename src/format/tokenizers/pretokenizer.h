#pragma once

#include <cstdint>
#include <string_view>

namespace ggufgate {

// BeginsText states when the token BOS is added to a text.
enum class BeginsText : std::uint8_t { kIfSaid, kUnlessSaid, kAlways };

// Blanks is the treatment of spaces in a text, before byte pairs are joined.
enum class Blanks : std::uint8_t {
  kByteLevel,  // bytes become letters: a space is U+0120
  kEscaped,    // a space becomes U+2581; tokens are the text itself
  kRaw,        // spaces stay
};

// PretokenizerInfo is one line of pretokenizers.def.
struct PretokenizerInfo {
  std::string_view word;
  BeginsText begins;
  bool has_default_begin;  // the tokenizer's default id for it applies
  Blanks blanks;
  bool needs_merges;
};

// FindPretokenizer finds a value of `tokenizer.ggml.pre`; nullptr if it is unknown.
[[nodiscard]] const PretokenizerInfo* FindPretokenizer(std::string_view word);

}  // namespace ggufgate
