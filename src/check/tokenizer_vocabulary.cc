// Rules about the tokens themselves. The facts come from the one walk of VocabularyOf(); a rule
// walks again only when there is something to report.

#include "check/tokenizer.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kLengthBytes = 8;

// Report begins a report about the token that `tokens` stands at.
Sink::Report About(const Context& context, const Vocabulary& vocabulary,
                   const StringArray& tokens) {
  return {.where = tokens.range(),
          .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index())};
}

ByteRange LengthRange(const StringArray& tokens) {
  return {.begin = tokens.range().begin - kLengthBytes, .size = kLengthBytes};
}

// ByteTokenText is `<0xHH>`.
std::string ByteTokenText(std::size_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

}  // namespace

void CheckVocabularyByteTokens(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.Is(TokenizerKind::kSentencePiece) || vocabulary.token_count == 0) return;
  const std::bitset<256> missing = ~(vocabulary.facts.byte_tokens | vocabulary.facts.bytes);
  if (missing.none()) return;
  const bool some = vocabulary.facts.byte_tokens.any();
  std::size_t first = 0;
  while (!missing[first]) ++first;
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  sink.Add({.where = CountRange(tokens),
            .subject = MetadataSubject(context.document, tokens),
            .observed = std::uint64_t{missing.count()},
            .allowed = std::uint64_t{0},
            .other = TextFact(ByteTokenText(first)),
            .wording = static_cast<std::uint8_t>(some ? 1 : 0),
            .at_most = some ? Severity::kWarning : Severity::kError});
}

namespace {

// ReadsByteTokens is true of the tokenizers that turn a token of type byte into its byte.
bool ReadsByteTokens(const Vocabulary& vocabulary) {
  return vocabulary.Is(TokenizerKind::kSentencePiece) || vocabulary.Is(TokenizerKind::kUnigram) ||
         vocabulary.Is(TokenizerKind::kBytePairs) || vocabulary.Is(TokenizerKind::kWordPiece);
}

}  // namespace

void CheckByteToken(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const bool word_piece = vocabulary.Is(TokenizerKind::kWordPiece);
  const TokenFacts& facts = vocabulary.facts;
  if ((word_piece ? facts.typed_bytes : facts.wrong_bytes) == 0) return;
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    if (TypeOf(context.document, vocabulary, tokens.index()) != TokenType::kByte) continue;
    if (!word_piece && IsByteToken(tokens.text())) continue;
    Sink::Report report = About(context, vocabulary, tokens);
    if (tokens.text().empty()) report.where = LengthRange(tokens);
    report.observed = TextFact(tokens.text());
    report.wording = word_piece ? 1 : 0;
    report.at_most = ReadsByteTokens(vocabulary) ? Severity::kError : Severity::kWarning;
    sink.Add(std::move(report));
  }
}

void CheckTokenLength(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const std::uint64_t limit = context.policy.limits.token_bytes;
  if (vocabulary.facts.longest <= limit) return;
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    if (tokens.range().size <= limit) continue;
    Sink::Report report = About(context, vocabulary, tokens);
    report.where = LengthRange(tokens);
    report.observed = tokens.range().size;
    report.allowed = limit;
    sink.Add(std::move(report));
  }
}

void CheckTokenDuplicate(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  auto repeat = vocabulary.facts.repeats.begin();
  const auto end = vocabulary.facts.repeats.end();
  if (repeat == end) return;
  for (StringArray tokens(context.document, TokensOf(vocabulary));
       repeat != end && tokens.Next();) {
    if (tokens.index() != repeat->index) continue;
    Sink::Report report = About(context, vocabulary, tokens);
    report.observed = TextFact(tokens.text());
    report.other = repeat->first;
    sink.Add(std::move(report));
    ++repeat;
  }
}

}  // namespace ggufgate
