// Rules about the ids of special tokens: the ids in the file, and the defaults for absent ones.

#include <algorithm>
#include <array>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

bool IsTokenId(const MetadataEntry& entry) {
  return entry.key.starts_with("tokenizer.") && entry.key.ends_with("_token_id");
}

// llama.cpp v0.5.0 lists this key but does not read it.
constexpr std::string_view kUnread = "tokenizer.ggml.cls_token_id";

// Writers without unsigned numbers store an id as i32, and -1 for no token.
bool IsTolerable(const MetadataEntry& entry, const std::optional<Integer>& id) {
  return entry.type == ValueType::kI32 && (!id->negative || id->magnitude == 1);
}

// AtMost limits the severity of a wrong id. If no known reader uses an id, its meaning is unknown:
// `image_token_id` of published models is one past the vocabulary (llama.cpp#11212).
Severity AtMost(const Context& context, const MetadataEntry& entry, bool error_in_llama_cpp) {
  if (FindKey(entry.key, "") == nullptr) return Severity::kWarning;
  return UnlessLlamaCpp(context, error_in_llama_cpp && entry.key != kUnread);
}

void CheckType(const Context& context, const MetadataEntry& entry, Sink& sink) {
  if (entry.type == ValueType::kU32) return;
  // llama.cpp also refuses i32, and the specification allows only u32.
  const bool tolerated = context.policy.profile == Profile::kGate &&
                         IsTolerable(entry, IntegerOf(context.document, entry));
  sink.Add({.where = entry.TypeRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = TextFact(TypeText(entry)),
            .allowed = TextFact(InfoOf(ValueType::kU32).word),
            .wording = TokenIdRangeWording::kType,
            .at_most = tolerated ? Severity::kWarning
                                 : AtMost(context, entry, /*error_in_llama_cpp=*/true)});
}

void CheckRange(const Context& context, const MetadataEntry& entry, std::uint64_t tokens,
                Sink& sink) {
  const auto integer = IntegerOf(context.document, entry);
  const auto id = integer ? integer->Unsigned() : std::nullopt;
  if (!id || *id < tokens || *id == kNoToken) return;
  sink.Add({.where = entry.ValueRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = *id,
            .allowed = tokens,
            .wording = TokenIdRangeWording::kRange,
            .at_most = AtMost(context, entry, /*error_in_llama_cpp=*/false)});
}

}  // namespace

void CheckTokenIdRange(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsTokenId(entry)) continue;
    CheckType(context, entry, sink);
    // Rule vocabulary-size reports a vocabulary without tokens.
    if (vocabulary.token_count > 0) CheckRange(context, entry, vocabulary.token_count, sink);
  }
}

namespace {

// SpecialToken is a token for which a tokenizer has a default.
struct SpecialToken {
  std::string_view key;
  const MetadataEntry* TokenizerKeys::* entry;
  std::uint32_t TokenizerInfo::* fallback;
};

constexpr SpecialToken kBos = {"tokenizer.ggml.bos_token_id", &TokenizerKeys::bos,
                               &TokenizerInfo::bos};
constexpr SpecialToken kEos = {"tokenizer.ggml.eos_token_id", &TokenizerKeys::eos,
                               &TokenizerInfo::eos};
constexpr SpecialToken kUnknown = {"tokenizer.ggml.unknown_token_id", &TokenizerKeys::unknown,
                                   &TokenizerInfo::unknown};
constexpr SpecialToken kSeparator = {"tokenizer.ggml.seperator_token_id", &TokenizerKeys::separator,
                                     &TokenizerInfo::separator};
constexpr SpecialToken kPadding = {"tokenizer.ggml.padding_token_id", &TokenizerKeys::padding,
                                   &TokenizerInfo::padding};

// IsNamed returns whether the file has an id for the token, even an invalid one, which rule
// token-id-range reports. Exception: llama.cpp ignores an id out of range, so profile llama.cpp
// does too.
bool IsNamed(const Context& context, const Vocabulary& vocabulary, const SpecialToken& token) {
  const MetadataEntry* entry = vocabulary.keys.*token.entry;
  if (entry == nullptr) return false;
  const auto id = IntegerOf(context.document, *entry);
  if (!id) return true;
  if (id->negative) return id->magnitude != 1;
  if (id->magnitude == kNoToken) return false;
  return context.policy.profile != Profile::kLlamaCpp || id->magnitude < vocabulary.token_count;
}

// FallbackOf returns the default id for a token that the file does not name.
std::uint32_t FallbackOf(const Vocabulary& vocabulary, const SpecialToken& token) {
  const PretokenizerInfo* pretokenizer = vocabulary.pretokenizer;
  const bool has_none = pretokenizer != nullptr && !pretokenizer->has_default_begin;
  if (has_none && token.key == kBos.key) return kNoToken;
  return vocabulary.tokenizer->*token.fallback;
}

// Adding is a setting: texts begin or end with a token.
struct Adding {
  SpecialToken token;
  const MetadataEntry* TokenizerKeys::* key;
  bool TokenizerInfo::* by_default;
};
constexpr std::array kAddings = {
    Adding{kBos, &TokenizerKeys::add_bos, &TokenizerInfo::adds_bos},
    Adding{kEos, &TokenizerKeys::add_eos, &TokenizerInfo::adds_eos},
};

bool IsAdded(const Context& context, const Vocabulary& vocabulary, const Adding& adding) {
  const PretokenizerInfo* pretokenizer = vocabulary.pretokenizer;
  const bool begins = adding.token.key == kBos.key && pretokenizer != nullptr;
  if (begins && pretokenizer->begins == BeginsText::kAlways) return true;
  const MetadataEntry* key = vocabulary.keys.*adding.key;
  const auto said = key != nullptr ? BoolOf(context.document, *key) : std::nullopt;
  const bool by_default = vocabulary.tokenizer->*adding.by_default ||
                          (begins && pretokenizer->begins == BeginsText::kUnlessSaid);
  return said.value_or(by_default);
}

// IsAddedAtAll returns whether the tokenizer adds the special token to texts.
bool IsAddedAtAll(const Context& context, const Vocabulary& vocabulary, const SpecialToken& token) {
  return vocabulary.tokenizer->heeds_adding &&
         std::ranges::any_of(kAddings, [&](const Adding& adding) {
           return adding.token.key == token.key && IsAdded(context, vocabulary, adding);
         });
}

void ReportNoTokens(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  const bool dies =
      !vocabulary.Is(TokenizerKind::kBytePairs) && !vocabulary.Is(TokenizerKind::kRwkv);
  sink.Add({.where = CountRange(tokens),
            .subject = MetadataSubject(context.document, tokens),
            .observed = std::uint64_t{0},
            .allowed = std::uint64_t{1},
            .other = TextFact(vocabulary.tokenizer->word),
            .wording = VocabularySizeWording::kNoTokens,
            .at_most = UnlessLlamaCpp(context, dies)});
}

// ReportAbsent reports a tokenizer without its array of tokens. Loaders refuse it without harm.
// Rule tokenizer-array-type reports an array of another type.
void ReportAbsent(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  if (vocabulary.keys.tokens != nullptr) return;
  const bool refused = context.policy.profile == Profile::kLlamaCpp;
  sink.Add({.where = vocabulary.keys.model->ValueRange(),
            .subject = MetadataSubject(context.document, *vocabulary.keys.model),
            .other = TextFact(vocabulary.tokenizer->word),
            .wording = VocabularySizeWording::kAbsent,
            .at_most = refused ? Severity::kError : Severity::kWarning});
}

// CheckDefaults reports the highest default id that exceeds the vocabulary.
void CheckDefaults(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  std::uint64_t highest = 0;
  bool dies = false;
  for (const SpecialToken& token : {kBos, kEos, kUnknown, kSeparator, kPadding}) {
    const std::uint64_t id = FallbackOf(vocabulary, token);
    if (id == kNoToken || id < vocabulary.token_count) continue;
    const bool needed = IsAddedAtAll(context, vocabulary, token) ||
                        vocabulary.Is(TokenizerKind::kUnigram) ||
                        vocabulary.Is(TokenizerKind::kPlamo2);
    if (IsNamed(context, vocabulary, token)) continue;
    // If a key states that there is no such token, the default does not apply, unless something
    // needs it.
    if (vocabulary.keys.*token.entry != nullptr && !needed) continue;
    highest = std::max(highest, id);
    dies |= needed;
  }
  if (highest == 0) return;  // a vocabulary that is not empty has token 0
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  sink.Add({.where = CountRange(tokens),
            .subject = MetadataSubject(context.document, tokens),
            .observed = highest,
            .allowed = vocabulary.token_count,
            .other = TextFact(vocabulary.tokenizer->word),
            .wording = VocabularySizeWording::kTooFew,
            .at_most = UnlessLlamaCpp(context, dies)});
}

// CheckAddings reports a token that must be added to texts but has no id.
void CheckAddings(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  for (const Adding& adding : kAddings) {
    if (!IsAdded(context, vocabulary, adding)) continue;
    if (FallbackOf(vocabulary, adding.token) != kNoToken) continue;
    if (IsNamed(context, vocabulary, adding.token)) continue;
    const MetadataEntry* said = vocabulary.keys.*adding.key;
    const MetadataEntry& entry = said != nullptr ? *said : *vocabulary.keys.model;
    sink.Add(
        {.where = entry.ValueRange(),
         .subject = MetadataSubject(context.document, entry),
         .other = TextFact(adding.token.key),
         .wording = VocabularySizeWording::kNothingToAdd,
         .at_most = vocabulary.tokenizer->heeds_adding ? Severity::kError : Severity::kWarning});
  }
}

}  // namespace

bool HasUnknownToken(const Context& context, const Vocabulary& vocabulary) {
  return IsNamed(context, vocabulary, kUnknown) ||
         FallbackOf(vocabulary, kUnknown) < vocabulary.token_count;
}

void CheckVocabularySize(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (vocabulary.tokenizer == nullptr || vocabulary.Is(TokenizerKind::kNone)) return;
  if (vocabulary.has_tokens && vocabulary.token_count == 0) {
    return ReportNoTokens(context, vocabulary, sink);
  }
  if (!HasAllMetadata(context.document)) return;  // the key may be in the unread part
  if (!vocabulary.has_tokens) return ReportAbsent(context, vocabulary, sink);
  // For WordPiece, rule vocabulary-special-tokens reports missing tokens.
  if (!vocabulary.Is(TokenizerKind::kWordPiece)) CheckDefaults(context, vocabulary, sink);
  CheckAddings(context, vocabulary, sink);
}

void CheckVocabularySpecialTokens(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.Is(TokenizerKind::kWordPiece) || vocabulary.token_count == 0) return;
  if (!HasAllMetadata(context.document)) return;
  const MetadataEntry& tokens = *vocabulary.keys.tokens;
  for (const SpecialToken& token : {kBos, kSeparator, kUnknown}) {
    const std::uint64_t id = vocabulary.tokenizer->*token.fallback;
    if (id < vocabulary.token_count) continue;
    if (IsNamed(context, vocabulary, token)) continue;
    sink.Add({.where = CountRange(tokens),
              .subject = MetadataSubject(context.document, tokens),
              .observed = id,
              .allowed = vocabulary.token_count,
              .other = TextFact(token.key)});
  }
}

}  // namespace ggufgate
