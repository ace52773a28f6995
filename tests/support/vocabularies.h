#pragma once

// Small vocabularies for the tests of the rules about tokenizers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/model.h"

namespace ggufgate::testing {

// TokenizerKey returns a key under `tokenizer.ggml.`.
[[nodiscard]] inline std::string TokenizerKey(std::string_view name) {
  return "tokenizer.ggml." + std::string(name);
}

// A model of two entries: the tokenizer, entry 0, and its tokens, entry 1.
[[nodiscard]] inline Model WithTokens(std::string_view tokenizer,
                                      const std::vector<std::string>& tokens) {
  Model model;
  model.Set("tokenizer.ggml.model", tokenizer).Set("tokenizer.ggml.tokens", tokens);
  return model;
}

// Numbered returns `count` tokens `t0`, `t1`, …
[[nodiscard]] inline std::vector<std::string> Numbered(std::size_t count) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back("t" + std::to_string(i));
  return tokens;
}

// AllByteTokens returns `<0x00>` to `<0xFF>`.
[[nodiscard]] inline std::vector<std::string> AllByteTokens() {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::vector<std::string> tokens;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back({'<', '0', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16), '>'});
  }
  return tokens;
}

// A byte-pair vocabulary that breaks no rule if it has twelve tokens; its merges are entry 2.
[[nodiscard]] inline Model BytePairs(std::size_t count = 12) {
  return WithTokens("gpt2", Numbered(count))
      .Set("tokenizer.ggml.merges", std::vector<std::string>{});
}

// The bytes in the notation of RWKV, escaped.
[[nodiscard]] inline std::vector<std::string> EscapedBytes() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::string> tokens;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back({'\\', 'x', kDigits.at(byte / 16), kDigits.at(byte % 16)});
  }
  return tokens;
}

}  // namespace ggufgate::testing
