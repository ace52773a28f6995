#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/tokenizers/tokenizer.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// VocabularyWord is what a kind of vocabulary is called where contracts and users name it.
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

// FindVocabulary looks such a word up.
[[nodiscard]] std::optional<TokenizerKind> FindVocabulary(std::string_view word);

// AddVocabulary adds the keys of a small vocabulary that survives every text: with the tokens that
// each kind cannot do without in llama.cpp v0.5.0, where some lookups are not checked. Gives the
// number of its tokens; 0 for TokenizerKind::kNone, which has none.
std::uint64_t AddVocabulary(Model& model, TokenizerKind kind);

}  // namespace ggufgate::mutate
