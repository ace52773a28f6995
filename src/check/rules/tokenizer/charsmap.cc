// Rule charsmap: the normalisation rules that SentencePiece compiles into a model.
//
// The map has the size of a trie in bytes, the trie as 32-bit numbers, then texts that each end
// with a NUL. All numbers are little-endian, even in big-endian files, because the map is an array
// of bytes. Source: llama.cpp v0.5.0, llm_tokenizer_ugm in src/llama-vocab.cpp.

#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "check/values.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kNumberBytes = 4;

struct Breach {
  CharsmapWording wording;
  ByteRange where;
  Fact observed = {};
  Fact allowed = {};
};

std::optional<Breach> FindBreach(Bytes map, ByteRange where) {
  const ByteRange size_range = {.begin = where.begin, .size = kNumberBytes};
  if (map.size() < kNumberBytes) {
    return Breach{CharsmapWording::kTooShort, where, std::uint64_t{map.size()}, kNumberBytes};
  }
  const std::uint64_t trie = Load<std::uint32_t>(map, ByteOrder::kLittle);
  const std::uint64_t rest = map.size() - kNumberBytes;
  if (trie > rest) return Breach{CharsmapWording::kTooLong, size_range, trie, rest};
  if (trie % kNumberBytes != 0)
    return Breach{CharsmapWording::kCutNumber, size_range, trie, kNumberBytes};
  if (trie == rest || map.back() != 0) {
    return Breach{CharsmapWording::kNoNul, {.begin = where.End() - 1, .size = 1}};
  }
  return std::nullopt;
}

}  // namespace

void CheckCharsmap(const Context& context, Sink& sink) {
  const Vocabulary& vocabulary = VocabularyOf(context);
  const MetadataEntry* entry = vocabulary.keys.charsmap;
  if (entry == nullptr || !HasShape(*entry, KeyShape::kBytes)) return;
  const ByteRange elements = entry->ElementsRange();
  const auto breach = FindBreach(context.document.BytesAt(elements), elements);
  if (!breach) return;
  // An empty map has no bytes: the finding points to its count.
  const ByteRange where = elements.size == 0 ? CountRange(*entry) : breach->where;
  const bool read = vocabulary.Is(TokenizerKind::kUnigram);
  sink.Add({.where = where,
            .subject = MetadataSubject(context.document, *entry),
            .observed = breach->observed,
            .allowed = breach->allowed,
            .wording = breach->wording,
            .at_most = read
                           ? UnlessLlamaCpp(context, breach->wording != CharsmapWording::kCutNumber)
                           : Severity::kWarning});
}

}  // namespace ggufgate
