// Rules about the arrays of a tokenizer: their types and lengths.

#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

bool IsOfTokenizer(const MetadataEntry& entry) { return entry.key.starts_with("tokenizer."); }

bool IsArrayShape(KeyShape shape) {
  return shape == KeyShape::kStrings || shape == KeyShape::kF32s || shape == KeyShape::kI32s ||
         shape == KeyShape::kBytes;
}

// IsRead returns whether llama.cpp v0.5.0 reads the array.
bool IsRead(const Vocabulary& vocabulary, const KeyInfo& key) {
  if (vocabulary.tokenizer == nullptr || vocabulary.Is(TokenizerKind::kNone)) return false;
  if (key.pattern.ends_with(".merges")) return vocabulary.Is(TokenizerKind::kBytePairs);
  if (key.shape == KeyShape::kBytes) return vocabulary.Is(TokenizerKind::kUnigram);
  return true;
}

// Some writers store integral scores as i32, and loaders accept that (llama.cpp#27260). The
// specification allows only f32.
bool IsWholeScores(const Context& context, const MetadataEntry& entry, const KeyInfo& key) {
  return key.shape == KeyShape::kF32s && entry.IsArrayOf(ValueType::kI32) &&
         context.policy.profile != Profile::kSpec;
}

// mlx-lm writes token types as u32, with the same bits; llama.cpp refuses them.
bool IsUnsignedTypes(const Context& context, const MetadataEntry& entry) {
  return entry.key == "tokenizer.ggml.token_type" && entry.IsArrayOf(ValueType::kU32) &&
         context.policy.profile == Profile::kGate;
}

}  // namespace

void CheckTokenizerArrayType(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsOfTokenizer(entry)) continue;
    const KeyInfo* key = FindKey(entry.key, "");
    if (key == nullptr || !IsArrayShape(key->shape) || HasShape(entry, key->shape)) continue;
    // Rule array-nested reports arrays of arrays, except in profile spec, which allows them.
    const bool nested = entry.IsArrayOf(ValueType::kArray);
    if (nested && context.policy.profile != Profile::kSpec) continue;
    // For an array, the finding points to the element type; otherwise to the value type.
    const bool is_array = entry.type == ValueType::kArray;
    sink.Add({.where = is_array ? ByteRange{entry.ValueRange().begin, 4} : entry.TypeRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(TypeText(entry)),
              .allowed = TextFact(WordFor(key->shape)),
              .at_most = IsWholeScores(context, entry, *key) || IsUnsignedTypes(context, entry)
                             ? Severity::kWarning
                             : UnlessLlamaCpp(context, IsRead(VocabularyOf(context), *key))});
  }
}

void CheckTokenizerArrayLength(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  if (!vocabulary.has_tokens) return;
  for (const MetadataEntry* entry : {vocabulary.keys.scores, vocabulary.keys.token_type}) {
    if (entry == nullptr || entry->type != ValueType::kArray) continue;
    if (entry->count == vocabulary.token_count) continue;
    const bool is_short = entry->count < vocabulary.token_count;
    sink.Add({.where = CountRange(*entry),
              .subject = MetadataSubject(context.document, *entry),
              .observed = entry->count,
              .allowed = vocabulary.token_count,
              .at_most = UnlessLlamaCpp(context, is_short)});
  }
}

}  // namespace ggufgate
