// Rules about the names of a tokenizer and a pre-tokenizer, and about missing tokens for which
// llama.cpp v0.5.0 refuses a file without harm.
//
// Source: llama_vocab::impl::load in its src/llama-vocab.cpp.

#include <algorithm>
#include <array>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {

void CheckTokenizerUnknown(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const MetadataEntry* model = vocabulary.keys.model;
  if (model == nullptr || vocabulary.tokenizer != nullptr) return;
  const auto word = TextOf(context.document, *model);
  if (!word) return;  // another rule reports its type
  sink.Add({.where = model->ValueRange(),
            .subject = MetadataSubject(context.document, *model),
            .observed = TextFact(*word),
            .at_most = WhereRefused(context)});
}

namespace {

// LosesBlanks: tokenizer "whitespace" removes spaces. Every other tokenizer of byte pairs keeps
// them, but the look-up of pairs asserts that they contain none.
bool LosesBlanks(const Vocabulary& vocabulary) {
  return vocabulary.tokenizer->word == "whitespace";
}

// CheckDefault: converters before April 2024 wrote no name; newer ones write one. `place` is the
// key to report.
void CheckDefault(const Context& context, const Vocabulary& vocabulary, const MetadataEntry& place,
                  PretokenizerWording wording, Sink& sink) {
  if (vocabulary.tokenizer->word != "gpt2" || !vocabulary.has_tokens) return;
  if (context.document.tensors.empty()) return;  // no model
  sink.Add({.where = place.ValueRange(),
            .subject = MetadataSubject(context.document, place),
            .wording = wording,
            .at_most = Severity::kWarning});
}

}  // namespace

void CheckPretokenizer(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const MetadataEntry* entry = vocabulary.keys.pretokenizer;
  if (!vocabulary.Is(TokenizerKind::kBytePairs)) return;
  if (entry == nullptr) {
    CheckDefault(context, vocabulary, *vocabulary.keys.model, PretokenizerWording::kAbsent, sink);
    return;
  }
  const auto word = TextOf(context.document, *entry);
  if (!word) return;
  if (*word == "default") {
    CheckDefault(context, vocabulary, *entry, PretokenizerWording::kDefault, sink);
    return;
  }
  const PretokenizerInfo* pretokenizer = vocabulary.pretokenizer;
  const bool raw = pretokenizer != nullptr && pretokenizer->blanks == Blanks::kRaw;
  if (pretokenizer != nullptr && (!raw || LosesBlanks(vocabulary))) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = TextFact(*word),
            .allowed = TextFact(vocabulary.tokenizer->word),
            .wording = raw ? PretokenizerWording::kBlanks : PretokenizerWording::kUnknown,
            .at_most = raw ? Severity::kError : WhereRefused(context)});
}

namespace {

void CheckMerges(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  if (!vocabulary.Is(TokenizerKind::kBytePairs) || vocabulary.keys.merges != nullptr) return;
  const PretokenizerInfo* pretokenizer = vocabulary.pretokenizer;
  if (pretokenizer == nullptr || !pretokenizer->needs_merges) return;
  sink.Add({.where = vocabulary.keys.model->ValueRange(),
            .subject = MetadataSubject(context.document, *vocabulary.keys.model),
            .observed = TextFact(vocabulary.tokenizer->word),
            .wording = TokenizerRefusedWording::kNoMerges,
            .at_most = WhereRefused(context)});
}

// If a model's name contains one of these, llama.cpp changes four tokens, which it looks up by
// their texts.
constexpr std::array<std::string_view, 2> kPhi = {"phi-3", "phi3"};
constexpr std::array<std::string_view, 4> kPhiTokens = {"</s>", "<unk>", "<s>", "<|endoftext|>"};

bool IsLetter(char wanted, char c) {
  return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
}

bool HoldsAnyCase(std::string_view text, std::string_view wanted) {
  const auto same = [](char c, char w) { return IsLetter(w, c); };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

// IsJina: for these, llama.cpp changes another token, regardless of the name.
bool IsJina(const Context& context, const Vocabulary& vocabulary) {
  constexpr std::array<std::string_view, 3> kWords = {"jina-v2-de", "jina-v2-es", "jina-v2-code"};
  const MetadataEntry* entry = vocabulary.keys.pretokenizer;
  const auto said = entry != nullptr ? TextOf(context.document, *entry) : std::nullopt;
  const std::string_view word = said.value_or("");
  const std::string_view architecture = context.parameters.architecture();
  return architecture == "nomic-bert-moe" || architecture == "jina-bert-v3" ||
         std::ranges::any_of(kWords, [&](std::string_view jina) {
           return word.find(jina) != std::string_view::npos;
         });
}

void CheckPhiTokens(const Context& context, const Vocabulary& vocabulary, Sink& sink) {
  const MetadataEntry* name = context.document.Find("general.name");
  const auto text = name != nullptr ? TextOf(context.document, *name) : std::nullopt;
  if (!text || !vocabulary.has_tokens || IsJina(context, vocabulary)) return;
  if (std::ranges::none_of(kPhi, [&](std::string_view phi) { return HoldsAnyCase(*text, phi); })) {
    return;
  }
  std::array<bool, kPhiTokens.size()> found{};
  for (StringArray tokens(context.document, TokensOf(vocabulary)); tokens.Next();) {
    const auto at = std::ranges::find(kPhiTokens, tokens.text());
    if (at != kPhiTokens.end()) found.at(static_cast<std::size_t>(at - kPhiTokens.begin())) = true;
  }
  const auto missing = std::ranges::find(found, false);
  if (missing == found.end()) return;
  sink.Add({.where = name->ValueRange(),
            .subject = MetadataSubject(context.document, *name),
            .observed = TextFact(kPhiTokens.at(static_cast<std::size_t>(missing - found.begin()))),
            .wording = TokenizerRefusedWording::kNoPhiToken,
            .at_most = WhereRefused(context)});
}

}  // namespace

void CheckTokenizerRefused(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (vocabulary.tokenizer == nullptr || vocabulary.Is(TokenizerKind::kNone)) return;
  if (!HasAllMetadata(context.document)) return;
  CheckMerges(context, vocabulary, sink);
  CheckPhiTokens(context, vocabulary, sink);
}

void CheckVocabularyClaimed(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.Is(TokenizerKind::kNone)) return;
  const MetadataEntry* entry = context.parameters.Find("vocab_size");
  const auto size = context.parameters.Unsigned("vocab_size");
  const std::uint64_t limit = context.policy.limits.claimed_tokens;
  if (entry == nullptr || !size || *size <= limit) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = *size,
            .allowed = limit});
}

}  // namespace ggufgate
