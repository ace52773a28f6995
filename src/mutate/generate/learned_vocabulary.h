#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/tokenizers/tokenizer.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// VocabularyWord is the name of a kind of vocabulary, for contracts and users.
struct VocabularyWord {
  std::string_view word;
  TokenizerKind kind;
};
inline constexpr std::array<VocabularyWord, 6> kVocabularyWords = {{
    {"spm", TokenizerKind::kSentencePiece},
    {"bpe", TokenizerKind::kBytePairs},
    {"wpm", TokenizerKind::kWordPiece},
    {"ugm", TokenizerKind::kUnigram},
    {"rwkv", TokenizerKind::kRwkv},
    {"plamo2", TokenizerKind::kPlamo2},
}};

// FindVocabulary returns the kind with a name.
[[nodiscard]] std::optional<TokenizerKind> FindVocabulary(std::string_view word);

// AddVocabulary adds the keys of a small vocabulary that is safe for every text. It has the tokens
// that llama.cpp v0.5.0 looks up without a check. Returns the number of its tokens, 0 for
// TokenizerKind::kNone.
std::uint64_t AddVocabulary(Model& model, TokenizerKind kind);

}  // namespace ggufgate::mutate
