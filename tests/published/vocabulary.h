#pragma once

// Made-up vocabularies of the size and kind of real ones.

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

// VocabularyPlan says what a vocabulary is like; what it says nothing of is filled with words.
struct VocabularyPlan {
  std::string kind;  // bpe, spm, wpm, ugm, rwkv, plamo2: how the tokens are written
  std::uint64_t count = 0;
  std::uint64_t merges = 0;                         // of bpe
  std::optional<std::uint64_t> bytes_at;            // where `<0x00>` to `<0xFF>` begin
  bool scores = false;                              // there is an array of scores
  bool types = true;                                // there is an array of token types
  std::map<std::uint64_t, SpecialToken> special{};  // by id
};

// SetVocabulary puts tokens, scores, types and merges into a model, in the order of llama.cpp's
// converter. The result is a reason why the plan cannot be carried out; empty when it was.
[[nodiscard]] std::string SetVocabulary(const VocabularyPlan& plan, Model& model);

// SyntheticCharsmap is a character map of so many bytes that changes no text; at least 512.
[[nodiscard]] std::vector<std::uint8_t> SyntheticCharsmap(std::uint64_t size);

}  // namespace ggufgate::published
