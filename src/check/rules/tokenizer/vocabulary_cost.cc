// Rule vocabulary-cost: tokens that cost a loader more time or memory than their bytes justify.
//
// Source: llama.cpp v0.5.0, src/llama-vocab.cpp. llm_tokenizer_plamo2::build makes a text of each
// suffix of a token, and of each prefix of that: bytes times the square of the characters. For
// byte-level pairs, GPT-2 writes bytes as 256 letters. llama_decode_text adds the whole token after
// each other character: bytes times the number of such characters.

#include <algorithm>

#include "bytes/utf8.h"
#include "check/repeats/record_hashes.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

// Steps that each token may cost without being counted. A token of the size of published ones costs
// no more: with 16 characters, or 64 bytes.
constexpr std::uint64_t kFree = 4096;
constexpr std::uint64_t kShort = 16;

std::uint64_t CharactersOf(Bytes text) {
  return text.size() - static_cast<std::uint64_t>(std::ranges::count_if(text, IsContinuation));
}

// IsLetterOfByte returns whether a character, given by its first bytes, is a letter that GPT-2 uses
// for a byte: U+0021 to U+007E, U+00A1 to U+0143 without U+00AD.
bool IsLetterOfByte(std::uint8_t first, std::uint8_t second) {
  if (first < 0x80) return first > 0x20 && first < 0x7F;
  if (first == 0xC2) return second >= 0xA1 && second <= 0xBF && second != 0xAD;
  if (first == 0xC5) return second >= 0x80 && second <= 0x83;
  return (first == 0xC3 || first == 0xC4) && IsContinuation(second);
}

// ForeignOf counts the characters that are not such letters.
std::uint64_t ForeignOf(Bytes text) {
  std::uint64_t foreign = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint8_t second = at + 1 < text.size() ? text[at + 1] : std::uint8_t{0};
    if (!IsLetterOfByte(text[at], second)) ++foreign;
    ++at;
    while (at < text.size() && IsContinuation(text[at])) ++at;
  }
  return foreign;
}

// Saturates: tokens have up to 2^30 bytes.
std::uint64_t Product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// IsByteLevel is true for tokenizers that turn the letters of a normal token back into bytes.
bool IsByteLevel(const Vocabulary& vocabulary) {
  return vocabulary.pretokenizer != nullptr && vocabulary.pretokenizer->blanks != Blanks::kEscaped;
}

std::uint64_t CostOf(const Vocabulary& vocabulary, Bytes text, std::optional<TokenType> type) {
  if (vocabulary.Is(TokenizerKind::kPlamo2)) {
    if (type == TokenType::kByte || text.size() <= kShort) return 0;
    const std::uint64_t characters = CharactersOf(text);
    return Product(text.size(), Product(characters, characters));
  }
  if (type.value_or(TokenType::kNormal) != TokenType::kNormal) return 0;
  return Product(text.size(), ForeignOf(text));
}

}  // namespace

void CheckVocabularyCost(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const bool plamo2 = vocabulary.Is(TokenizerKind::kPlamo2);
  if (!plamo2 && !IsByteLevel(vocabulary)) return;
  const std::uint64_t limit = context.policy.limits.vocabulary_steps;
  // Upper bound: every byte of a token is a character that is not such a letter.
  static_assert(kUsualBytes * kUsualBytes <= kFree);
  if (plamo2 ? vocabulary.facts.longest <= kShort : vocabulary.facts.squares <= limit) return;
  const Bytes types = TypesOf(context.document, vocabulary);
  std::uint64_t total = 0;
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    if (!plamo2 && tokens.range().size <= kUsualBytes) continue;
    const auto type = TypeIn(types, context.document.byte_order, tokens.index());
    const std::uint64_t cost = CostOf(vocabulary, tokens.bytes(), type);
    if (cost <= kFree) continue;
    total += std::min(cost - kFree, UINT64_MAX - total);
    if (total <= limit) continue;
    return sink.Add(
        {.where = LengthRange(tokens),
         .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index()),
         .observed = total,
         .allowed = limit,
         .other = TextFact(vocabulary.tokenizer->word)});
  }
}

}  // namespace ggufgate
