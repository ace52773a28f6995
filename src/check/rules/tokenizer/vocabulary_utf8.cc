// Rule vocabulary-utf8: tokens that are no UTF-8, where a tokenizer cuts them into characters.
//
// llm_tokenizer_plamo2::build of llama.cpp v0.5.0 (src/llama-vocab.cpp) sorts the suffixes of all
// tokens by their bytes from behind, and takes the characters of each: for bytes that are none,
// U+FFFD. A suffix then is not the end of its token any more, comes after it, and has number 0 when
// the token asks for it. The table that is made so claims characters a text does not have, and the
// walk over a text reads and writes beyond its end. Surrogates are written back as they were read:
// they do no harm.

#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// LengthOf is how many bytes a character has by its first; 0 for a byte that begins none.
std::size_t LengthOf(std::uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

// MayFollow: the second byte rules out what would be too long for its character, or too large.
bool MayFollow(std::uint8_t first, std::uint8_t second) {
  if (first == 0xE0) return second >= 0xA0;
  if (first == 0xF0) return second >= 0x90;
  return first != 0xF4 || second < 0x90;
}

// FirstWrong is where the first byte stands that is no character, text.size() if there is none.
std::size_t FirstWrong(Bytes text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = LengthOf(text[at]);
    if (length == 0 || length > text.size() - at) return at;
    for (std::size_t i = 1; i < length; ++i) {
      if (!IsContinuation(text[at + i])) return at;
    }
    if (length > 2 && !MayFollow(text[at], text[at + 1])) return at;
    at += length;
  }
  return at;
}

}  // namespace

void CheckVocabularyUtf8(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.Is(TokenizerKind::kPlamo2) || !vocabulary.has_tokens) return;
  const Bytes types = TypesOf(context.document, vocabulary);
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    const Bytes text = tokens.bytes();
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
