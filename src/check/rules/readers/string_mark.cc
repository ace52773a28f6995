// Rule string-bom: texts that begin with a byte order mark.
//
// Measured: TextDecoder, and so @huggingface/gguf, drops the mark at the beginning of a text. All
// other readers keep it. Published vocabularies have such tokens.

#include "check/rules/metadata/array_texts.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/key.h"
#include "format/unicode/ignorable.h"
#include "parse/arrays.h"

namespace ggufgate {
namespace {

// ReportMark reports one text. `more` counts such texts of its array, 0 for a scalar.
void ReportMark(ByteRange text, Subject subject, std::uint64_t more, Severity at_most, Sink& sink) {
  sink.Add({.where = {.begin = text.begin, .size = kByteOrderMark.size()},
            .subject = std::move(subject),
            .allowed = more,
            .wording = more > 1 ? StringBomWording::kSeveral : StringBomWording::kOne,
            .at_most = at_most});
}

void CheckArray(const Document& document, const MetadataEntry& entry, const LeafArray& leaf,
                Sink& sink) {
  if (leaf.element_type != ValueType::kString) return;
  std::uint64_t marked = 0;
  std::uint64_t first_index = 0;
  ByteRange first;
  for (StringArray strings(document, leaf); strings.Next();) {
    if (!strings.text().starts_with(kByteOrderMark) || marked++ > 0) continue;
    first_index = strings.index();
    first = strings.range();
  }
  if (marked == 0) return;
  ReportMark(first, MetadataSubject(document, entry, first_index), marked, Severity::kNote, sink);
}

}  // namespace

void CheckStringBom(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const std::string_view architecture = ArchitectureOf(document);
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    const MetadataEntry& entry = document.metadata[i];
    if (const auto text = document.StringOf(entry); text && text->starts_with(kByteOrderMark)) {
      const bool read = IsReadByLoaders(entry.key, architecture);
      ReportMark(entry.ElementsRange(), MetadataSubject(document, entry), 0,
                 read ? Severity::kWarning : Severity::kNote, sink);
    }
    if (entry.type != ValueType::kArray || !ArrayTextsOf(context, i).may_hold_mark) continue;
    for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
      CheckArray(document, entry, *leaf, sink);
    }
  }
}

}  // namespace ggufgate
