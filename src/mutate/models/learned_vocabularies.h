#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "format/tokenizers/tokenizer.h"
#include "mutate/generate/learned_vocabulary.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// LearnedVocabularies has the keys of the small vocabularies. They are made once, and mutants view
// them.
class LearnedVocabularies {
 public:
  LearnedVocabularies();

  struct Vocabulary {
    Model keys;  // only keys
    std::uint64_t tokens = 0;
  };
  // Of returns the vocabulary of a kind; for a kind without one, the first vocabulary.
  [[nodiscard]] const Vocabulary& Of(TokenizerKind kind) const;
  [[nodiscard]] std::span<const Vocabulary> All() const { return vocabularies_; }

 private:
  std::array<Vocabulary, kVocabularyWords.size()> vocabularies_;
};

}  // namespace ggufgate::mutate
