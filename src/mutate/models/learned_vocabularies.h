#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "format/tokenizers/tokenizer.h"
#include "mutate/generate/learned_vocabulary.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// LearnedVocabularies are the keys of the small vocabularies, made once: mutants view them.
class LearnedVocabularies {
 public:
  LearnedVocabularies();

  struct Vocabulary {
    Model keys;  // and nothing else
    std::uint64_t tokens = 0;
  };
  // Of is the vocabulary of a kind, the first of them for kinds that have none.
  [[nodiscard]] const Vocabulary& Of(TokenizerKind kind) const;
  [[nodiscard]] std::span<const Vocabulary> All() const { return vocabularies_; }

 private:
  std::array<Vocabulary, kVocabularyWords.size()> vocabularies_;
};

}  // namespace ggufgate::mutate
