#pragma once

// Common code of the recipes about vocabularies.

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {

using Strings = std::vector<std::string>;
using Types = std::vector<std::int32_t>;

inline std::string Key(std::string_view name) {
  return std::string("tokenizer.ggml.") + std::string(name);
}

// Errors of profile gate that the specification does not mention.
inline constexpr Verdict kOnlySpecAccepts = kOnlySpec;

// Letters returns the tokens of a byte-pair vocabulary: letters, from `a` on.
inline Strings Letters(std::size_t count) {
  Strings tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.emplace_back(1, static_cast<char>('a' + i));
  return tokens;
}

inline void SetTokens(Model& m, std::string_view tokenizer, const Strings& tokens) {
  m.Set(Key("model"), tokenizer).Set(Key("tokens"), tokens);
}

// BytePairs adds no byte tokens and no special ones: twelve letters, so that its default id, 11,
// exists.
inline void BytePairs(Model& m, std::size_t count = 12) {
  SetTokens(m, "gpt2", Letters(count));
  m.Set(Key("merges"), Strings{"a b"}).Set(Key("pre"), "gpt-2");
}

inline Strings ByteTokens() {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  Strings tokens;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back({'<', '0', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16), '>'});
  }
  return tokens;
}

inline void Unigram(Model& m) {
  SetTokens(m, "t5", {"<pad>", "</s>", "<unk>", "\xE2\x96\x81", "a", "b"});
}

}  // namespace ggufgate::corpus
