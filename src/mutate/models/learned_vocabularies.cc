#include "mutate/models/learned_vocabularies.h"

namespace ggufgate::mutate {

LearnedVocabularies::LearnedVocabularies() {
  for (std::size_t i = 0; i < kVocabularyWords.size(); ++i) {
    Vocabulary& made = vocabularies_.at(i);
    made.tokens = AddVocabulary(made.keys, kVocabularyWords.at(i).kind);
  }
}

const LearnedVocabularies::Vocabulary& LearnedVocabularies::Of(TokenizerKind kind) const {
  for (std::size_t i = 0; i < kVocabularyWords.size(); ++i) {
    if (kVocabularyWords.at(i).kind == kind) return vocabularies_.at(i);
  }
  return vocabularies_.front();
}

}  // namespace ggufgate::mutate
