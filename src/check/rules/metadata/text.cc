// Rules string-utf8 (values of keys, arrays of strings) and tensor-name-utf8.

#include "bytes/utf8.h"
#include "check/rules/metadata/array_texts.h"
#include "check/rules/rule_functions.h"
#include "parse/arrays.h"

namespace ggufgate {
namespace {

// MayHoldRawBytes is true for arrays in which byte-level tokenizers store parts of characters.
bool MayHoldRawBytes(std::string_view key) {
  return key == "tokenizer.ggml.tokens" || key == "tokenizer.ggml.merges" ||
         key == "tokenizer.ggml.added_tokens";
}

// ReportText reports one text that is not UTF-8. `more` counts such texts of its array, 0 for a
// scalar.
void ReportText(Bytes text, std::uint64_t begin, Subject subject, std::uint64_t more,
                Severity at_most, Sink& sink) {
  const std::uint64_t position = Utf8PrefixLength(text);
  sink.Add({.where = {.begin = begin + position, .size = 1},
            .subject = std::move(subject),
            .observed = std::uint64_t{text.subspan(position).front()},
            .allowed = more,
            .other = position,
            .wording = more > 1 ? StringUtf8Wording::kSeveral : StringUtf8Wording::kOne,
            .at_most = at_most});
}

void CheckArray(const Context& context, const MetadataEntry& entry, const LeafArray& leaf,
                Sink& sink) {
  const Document& document = context.document;
  if (leaf.element_type != ValueType::kString) return;

  std::uint64_t bad = 0;
  std::uint64_t first_index = 0;
  Bytes first;
  ByteRange first_range;
  for (StringArray strings(document, leaf); strings.Next();) {
    if (IsUtf8(strings.bytes())) continue;
    if (bad++ > 0) continue;
    first_index = strings.index();
    first = strings.bytes();
    first_range = strings.range();
  }
  if (bad == 0) return;
  ReportText(first, first_range.begin, MetadataSubject(document, entry, first_index), bad,
             MayHoldRawBytes(entry.key) ? Severity::kNote : Severity::kError, sink);
}

}  // namespace

void CheckStringUtf8(const Context& context, Sink& sink) {
  const Document& document = context.document;
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    const MetadataEntry& entry = document.metadata[i];
    if (entry.type == ValueType::kString) {
      const Bytes text = document.BytesAt(entry.ElementsRange());
      if (IsUtf8(text)) continue;
      ReportText(text, entry.ElementsRange().begin, MetadataSubject(document, entry), 0,
                 Severity::kError, sink);
    }
    if (entry.type != ValueType::kArray || ArrayTextsOf(context, i).all_utf8) continue;
    for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
      CheckArray(context, entry, *leaf, sink);
    }
  }
}

void CheckTensorNameUtf8(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    const Bytes name = AsBytes(tensor.name);
    if (IsUtf8(name)) continue;
    const std::uint64_t position = Utf8PrefixLength(name);
    sink.Add({.where = {.begin = tensor.NameRange().begin + position, .size = 1},
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{name.subspan(position).front()},
              .other = position});
  }
}

}  // namespace ggufgate
