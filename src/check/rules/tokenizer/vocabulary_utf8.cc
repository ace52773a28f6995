// Rule vocabulary-utf8: tokens that are not UTF-8, for tokenizers that split them into characters.
//
// llm_tokenizer_plamo2::build of llama.cpp v0.5.0 (src/llama-vocab.cpp) sorts the suffixes of all
// tokens by their bytes from the end, and splits each into characters. It replaces invalid bytes
// with U+FFFD. Then a suffix is no longer the end of its token. It sorts after the token, and still
// has number 0 when the token needs it. The resulting table assumes characters that a text does not
// have, and the walk over a text reads and writes past its end. Surrogates are written back
// unchanged, so they do no harm.

#include "bytes/utf8.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

// FirstWrong returns the offset of the first invalid byte, or text.size().
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
    if (type == TokenType::kByte) continue;  // not split
    sink.Add({.where = {.begin = tokens.range().begin + wrong, .size = 1},
              .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index()),
              .observed = TextFact(tokens.text())});
  }
}

}  // namespace ggufgate
