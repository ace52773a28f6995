// Rule string-nul: scalar strings and arrays of strings. (Other rules check keys and tensor names.)
//
// Measured: llama.cpp v0.5.0 and stable-diffusion.cpp read strings up to the first NUL. candle
// strips NULs at the end. gguf-py and the readers in JavaScript read the whole string.

#include "check/rules/metadata/array_texts.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/key.h"
#include "parse/arrays.h"

namespace ggufgate {
namespace {

bool HoldsNul(std::string_view text) { return text.find('\0') != text.npos; }

// ReportNul reports one text. `more` counts such texts of its array, 0 for a scalar.
void ReportNul(std::string_view text, std::uint64_t begin, Subject subject, std::uint64_t more,
               Severity at_most, Sink& sink) {
  const std::uint64_t position = text.find('\0');
  sink.Add({.where = {.begin = begin + position, .size = 1},
            .subject = std::move(subject),
            .observed = position,
            .allowed = more,
            .other = TextFact(text),
            .wording = more > 1 ? StringNulWording::kSeveral : StringNulWording::kOne,
            .at_most = at_most});
}

void CheckArray(const Document& document, const MetadataEntry& entry, const LeafArray& leaf,
                Sink& sink) {
  if (leaf.element_type != ValueType::kString) return;
  std::uint64_t bad = 0;
  std::uint64_t first_index = 0;
  std::string_view first;
  ByteRange first_range;
  for (StringArray strings(document, leaf); strings.Next();) {
    if (!HoldsNul(strings.text()) || bad++ > 0) continue;
    first_index = strings.index();
    first = strings.text();
    first_range = strings.range();
  }
  if (bad == 0) return;
  ReportNul(first, first_range.begin, MetadataSubject(document, entry, first_index), bad,
            Severity::kWarning, sink);
}

}  // namespace

void CheckStringNul(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const std::string_view architecture = ArchitectureOf(document);
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    const MetadataEntry& entry = document.metadata[i];
    if (const auto text = document.StringOf(entry); text && HoldsNul(*text)) {
      const bool read = IsReadByLoaders(entry.key, architecture);
      ReportNul(*text, entry.ElementsRange().begin, MetadataSubject(document, entry), 0,
                read ? Severity::kError : Severity::kWarning, sink);
    }
    if (entry.type != ValueType::kArray || !ArrayTextsOf(context, i).may_hold_nul) continue;
    for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
      CheckArray(document, entry, *leaf, sink);
    }
  }
}

}  // namespace ggufgate
