// Rule vocabulary-utf8: tokens that are no UTF-8, where a tokenizer cuts them into characters.
//
// llm_tokenizer_plamo2::build of llama.cpp v0.5.0 (src/llama-vocab.cpp) sorts the suffixes of all
// tokens by their bytes from behind, and takes the characters of each: for bytes that are none,
// U+FFFD. A suffix then is not the end of its token any more, comes after it, and has number 0 when
// the token asks for it. The table that is made so claims characters a text does not have, and the
// walk over a text reads and writes beyond its end. Surrogates are written back as they were read:
// they do no harm.

#include "bytes/utf8.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

// FirstWrong is where the first byte stands that is no character, text.size() if there is none.
std::size_t FirstWrong(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t at = text.size() - rest.size();
    if (!TakeCharacter(rest, Surrogates::kTaken)) return at;
  }
  return text.size();
}

}  // namespace

void CheckVocabularyUtf8(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.Is(TokenizerKind::kPlamo2) || !vocabulary.has_tokens) return;
  const Bytes types = TypesOf(context.document, vocabulary);
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    const std::string_view text = AsText(tokens.bytes());
    const std::size_t wrong = FirstWrong(text);
    if (wrong == text.size()) continue;
    const auto type = TypeIn(types, context.document.byte_order, tokens.index());
    if (type == TokenType::kByte) continue;  // is not cut
    sink.Add({.where = {.begin = tokens.range().begin + wrong, .size = 1},
              .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index()),
              .observed = TextFact(tokens.text())});
  }
}

}  // namespace ggufgate
