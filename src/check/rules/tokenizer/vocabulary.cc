// Rules about the tokens. The facts come from the single walk of VocabularyOf(). A rule walks again
// only to report findings.

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "check/rules/metadata/array_texts.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"

namespace ggufgate {
namespace {

// About begins a report about the current token of `tokens`.
Sink::Report About(const Context& context, const Vocabulary& vocabulary,
                   const StringArray& tokens) {
  return {.where = tokens.range(),
          .subject = MetadataSubject(context.document, *vocabulary.keys.tokens, tokens.index())};
}

// ReadsByteTokens is true for tokenizers that turn a token of type byte into its byte.
bool ReadsByteTokens(const Vocabulary& vocabulary) {
  return vocabulary.Is(TokenizerKind::kSentencePiece) || vocabulary.Is(TokenizerKind::kUnigram) ||
         vocabulary.Is(TokenizerKind::kBytePairs) || vocabulary.Is(TokenizerKind::kWordPiece);
}

// AtMost: PLaMo 2 looks for bytes among the tokens of type byte, and ignores other forms.
Severity AtMost(const Context& context, const Vocabulary& vocabulary) {
  if (vocabulary.Is(TokenizerKind::kPlamo2)) return UnlessLlamaCpp(context, false);
  return ReadsByteTokens(vocabulary) ? Severity::kError : Severity::kWarning;
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
    report.wording = word_piece ? ByteTokenWording::kWordPiece : ByteTokenWording::kForm;
    report.at_most = AtMost(context, vocabulary);
    sink.Add(std::move(report));
  }
}

void CheckTokenLength(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const bool word_piece = vocabulary.Is(TokenizerKind::kWordPiece);
  const Limits& limits = context.policy.limits;
  const std::uint64_t limit =
      word_piece ? std::min(limits.token_bytes, limits.word_piece_bytes) : limits.token_bytes;
  if (vocabulary.facts.longest <= limit) return;
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    if (tokens.range().size <= limit) continue;
    Sink::Report report = About(context, vocabulary, tokens);
    report.where = LengthRange(tokens);
    report.observed = tokens.range().size;
    report.allowed = limit;
    report.at_most = UnlessLlamaCpp(context, word_piece);
    sink.Add(std::move(report));
  }
}

namespace {

// IsGemma4: the official files have three tokens twice, and llama.cpp v0.5.0 aborts on them.
bool IsGemma4(const Vocabulary& vocabulary) {
  return vocabulary.pretokenizer != nullptr && vocabulary.pretokenizer->word == "gemma4";
}

// CutToken is a token up to its first NUL, as readers in C see it.
struct CutToken {
  std::string_view text;
  std::uint64_t index;
  bool cut;
};

bool MayHoldNul(const Context& context, const MetadataEntry& tokens) {
  const std::vector<MetadataEntry>& metadata = context.document.metadata;
  const auto found = std::ranges::find(metadata, &tokens, [](const auto& entry) { return &entry; });
  return ArrayTextsOf(context, static_cast<std::size_t>(found - metadata.begin())).may_hold_nul;
}

// RepeatsOfCut returns the tokens that equal an earlier one up to a NUL. It skips empty ones:
// llama.cpp gives them different names.
std::vector<Repeat> RepeatsOfCut(const Context& context, const Vocabulary& vocabulary) {
  std::vector<CutToken> all;
  bool any = false;
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    const std::string_view text = tokens.text().substr(0, tokens.text().find('\0'));
    const bool cut = text.size() < tokens.text().size();
    any = any || cut;
    if (!text.empty()) all.push_back({.text = text, .index = tokens.index(), .cut = cut});
  }
  std::vector<Repeat> repeats;
  if (!any) return repeats;
  std::ranges::sort(all, {},
                    [](const CutToken& token) { return std::tuple(token.text, token.index); });
  for (std::size_t i = 1, first = 0; i < all.size(); ++i) {
    if (all[i].text != all[first].text) first = i;
    // The other search finds tokens that are equal without a cut.
    if (i > first && (all[i].cut || all[first].cut))
      repeats.push_back({all[i].index, all[first].index});
  }
  return repeats;
}

// RepeatsOf returns all tokens that equal an earlier one, by index.
std::vector<Repeat> RepeatsOf(const Context& context, const Vocabulary& vocabulary) {
  std::vector<Repeat> repeats = vocabulary.facts.repeats;
  if (!vocabulary.has_tokens || !MayHoldNul(context, *vocabulary.keys.tokens)) return repeats;
  const std::vector<Repeat> cut = RepeatsOfCut(context, vocabulary);
  repeats.insert(repeats.end(), cut.begin(), cut.end());
  std::ranges::sort(repeats, {},
                    [](const Repeat& one) { return std::tuple(one.index, one.first); });
  const auto same = [](const Repeat& a, const Repeat& b) { return a.index == b.index; };
  repeats.erase(std::unique(repeats.begin(), repeats.end(), same), repeats.end());
  return repeats;
}

}  // namespace

void CheckTokenDuplicate(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const std::vector<Repeat> repeats = RepeatsOf(context, vocabulary);
  auto repeat = repeats.begin();
  const auto end = repeats.end();
  if (repeat == end) return;
  const bool read = vocabulary.tokenizer != nullptr && !vocabulary.Is(TokenizerKind::kNone);
  const bool official = read && IsGemma4(vocabulary) && context.policy.profile == Profile::kGate;
  for (StringArray tokens(context.document, TokensOf(vocabulary));
       repeat != end && tokens.Next();) {
    if (tokens.index() != repeat->index) continue;
    Sink::Report report = About(context, vocabulary, tokens);
    report.observed = TextFact(tokens.text());
    report.other = repeat->first;
    report.at_most = read && !official ? Severity::kError : Severity::kWarning;
    sink.Add(std::move(report));
    ++repeat;
  }
}

}  // namespace ggufgate
