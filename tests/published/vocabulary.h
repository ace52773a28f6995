#pragma once

// Synthetic vocabularies with the sizes and kinds of real ones.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/tokenizers/tokenizer.h"
#include "parse/model.h"

namespace ggufgate::published {

struct SpecialToken {
  std::string text;
  TokenType type = TokenType::kControl;
};

// VocabularyPlan describes a vocabulary. All other tokens are generated words.
struct VocabularyPlan {
  std::string kind;  // bpe, spm, wpm, ugm, rwkv, plamo2: the notation of the tokens
  std::uint64_t count = 0;
  std::uint64_t merges = 0;  // of bpe
  // Id of `<0x00>`; the others up to `<0xFF>` follow.
  std::optional<std::uint64_t> bytes_at;
  bool scores = false;                              // there is an array of scores
  bool types = true;                                // there is an array of token types
  std::map<std::uint64_t, SpecialToken> special{};  // by id
};

// SetVocabulary puts tokens, scores, types and merges into a model, in the order of llama.cpp's
// converter. It returns the reason if the plan is impossible, else an empty text.
[[nodiscard]] std::string SetVocabulary(const VocabularyPlan& plan, Model& model);

// SyntheticCharsmap returns a character map of `size` bytes, at least 512, that changes no text.
[[nodiscard]] std::vector<std::uint8_t> SyntheticCharsmap(std::uint64_t size);

}  // namespace ggufgate::published
