// The bytes for which a vocabulary has tokens, and rule vocabulary-byte-tokens about them.
//
// Source: llama.cpp v0.5.0, src/llama-vocab.cpp: llama_vocab::byte_to_token (SentencePiece),
// llm_tokenizer_plamo2::build, llama_unescape_rwkv_token.

#include <algorithm>

#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool IsCapitalOrDigit(char c) { return c < 'a'; }

std::size_t ByteOf(std::string_view form) {
  return static_cast<std::size_t>(DigitOf(form[3]) << 4 | DigitOf(form[4]));
}

// Unescaped has the first byte of an RWKV token after its escapes are replaced.
struct Unescaped {
  std::uint8_t first = 0;
  std::size_t bytes = 0;  // counted up to two
};

void Append(Unescaped& out, int byte) {
  if (out.bytes == 0) out.first = static_cast<std::uint8_t>(byte);
  ++out.bytes;
}

// HexValue computes the value of a digit as the reference does, which accepts any character.
int HexValue(char c) {
  const int value = static_cast<signed char>(c);
  return value >= 'a' ? value - 'a' + 10 : value - '0';
}

int EscapedByte(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

// Unescape reads until it has two bytes. An incomplete escape adds no byte.
Unescaped Unescape(std::string_view text) {
  Unescaped out;
  for (std::size_t at = 0; at < text.size() && out.bytes < 2; ++at) {
    if (text[at] != '\\') {
      Append(out, text[at]);
      continue;
    }
    if (++at == text.size()) break;
    if (text[at] != 'x') {
      Append(out, EscapedByte(text[at]));
      continue;
    }
    if (text.size() - at < 3) break;
    Append(out, HexValue(text[at + 1]) * 16 + HexValue(text[at + 2]));
    at += 2;
  }
  return out;
}

void LookAtRwkv(std::string_view text, TokenFacts& facts) {
  // llama.cpp gives an empty token a name such as [EMPTY_3].
  const Unescaped token = text.empty() ? Unescaped{'[', 2} : Unescape(text);
  if (token.bytes > 0) facts.first_bytes.set(token.first);
  if (token.bytes == 1) facts.whole_bytes.set(token.first);
}

// UpToForm equals AsLoadersRead() for results of one byte or six bytes, the lengths of tokens for a
// byte. A search for NUL in each token would cost more than all other work here.
std::string_view UpToForm(std::string_view text) {
  if (text.empty() || text.front() == 0) return {};
  if (text.size() > 1 && text[1] == 0) return text.substr(0, 1);
  return text.size() > 6 && text[6] == 0 ? text.substr(0, 6) : text;
}

}  // namespace

bool IsByteToken(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
         DigitOf(text[3]) >= 0 && DigitOf(text[4]) >= 0;
}

std::string ByteTokenText(std::size_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

void LookForBytes(const Document& document, const Vocabulary& vocabulary, TokenFacts& facts) {
  const bool rwkv = vocabulary.Is(TokenizerKind::kRwkv);
  const Bytes types = facts.typed_bytes > 0 ? TypesOf(document, vocabulary) : Bytes{};
  std::uint64_t right = 0;
  for (StringArray tokens(document, TokensOf(vocabulary)); tokens.Next();) {
    if (rwkv) LookAtRwkv(AsLoadersRead(tokens.text()), facts);
    const std::string_view text = UpToForm(tokens.text());
    if (text.size() == 1) facts.bytes.set(static_cast<unsigned char>(text.front()));
    if (!IsByteToken(text)) continue;
    const bool is_byte = TypeIn(types, document.byte_order, tokens.index()) == TokenType::kByte;
    right += is_byte ? 1 : 0;
    if (is_byte && tokens.index() > 0) facts.typed_byte_tokens.set(ByteOf(text));
    if (std::ranges::all_of(text.substr(3, 2), IsCapitalOrDigit)) {
      facts.byte_tokens.set(ByteOf(text));
    }
  }
  facts.wrong_bytes = facts.typed_bytes - right;
}

namespace {

using Says = VocabularyByteTokensWording;

void ReportBytes(const Context& context, const std::bitset<256>& missing, Says wording,
                 Severity at_most, Sink& sink) {
  if (missing.none()) return;
  std::size_t first = 0;
  while (!missing[first]) ++first;
  const MetadataEntry& tokens = *VocabularyOf(context).keys.tokens;
  sink.Add({.where = CountRange(tokens),
            .subject = MetadataSubject(context.document, tokens),
            .observed = std::uint64_t{missing.count()},
            .allowed = std::uint64_t{0},
            .other = TextFact(ByteTokenText(first)),
            .wording = wording,
            .at_most = at_most});
}

}  // namespace

void CheckVocabularyByteTokens(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const TokenFacts& facts = vocabulary.facts;
  if (vocabulary.token_count == 0) return;
  if (vocabulary.Is(TokenizerKind::kSentencePiece)) {
    const Says wording = facts.byte_tokens.any() ? Says::kSome : Says::kNone;
    ReportBytes(context, ~(facts.byte_tokens | facts.bytes), wording, Severity::kError, sink);
  }
  if (vocabulary.Is(TokenizerKind::kRwkv) && HasAllMetadata(context.document)) {
    // Rule vocabulary-first-bytes reports bytes that begin some token.
    const bool named = HasUnknownToken(context, vocabulary);
    const std::bitset<256> missing = ~(facts.first_bytes | facts.whole_bytes);
    if (!named) ReportBytes(context, missing, Says::kNoSuchByte, Severity::kError, sink);
  }
  if (vocabulary.Is(TokenizerKind::kPlamo2)) {
    ReportBytes(context, ~facts.typed_byte_tokens, Says::kNoTypedByte, WhereRefused(context), sink);
  }
}

void CheckVocabularyFirstBytes(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const TokenFacts& facts = vocabulary.facts;
  const std::bitset<256> endless = facts.first_bytes & ~facts.whole_bytes;
  if (endless.none()) return;
  // The finding points to the first token that begins with such a byte.
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    TokenFacts one;
    LookAtRwkv(AsLoadersRead(tokens.text()), one);
    if ((one.first_bytes & endless).none()) continue;
    std::size_t byte = 0;
    while (!one.first_bytes[byte]) ++byte;
    return sink.Add(
        {.where = tokens.text().empty() ? LengthRange(tokens) : tokens.range(),
         .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index()),
         .observed = TextFact(tokens.text()),
         .allowed = std::uint64_t{endless.count()},
         .other = TextFact(ByteTokenText(byte))});
  }
}

}  // namespace ggufgate
