#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "parse/extent.h"
#include "report/inspect/inspect.h"
#include "report/loaders/outcomes.h"
#include "report/table.h"
#include "report/values.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Align = Table::Align;

void PrintHeader(const Document& document, const std::string& path, std::ostream& out) {
  out << WithoutCommand(EscapeText(path)) << "\n\n";
  Table table({Align::kLeft, Align::kLeft});
  table.Add({"size", HumanBytes(document.file_size)});
  if (document.version != 0) {
    const bool big = document.byte_order == ByteOrder::kBig;
    table.Add(
        {"version", absl::StrCat(document.version, big ? ", big-endian" : ", little-endian")});
    table.Add({"metadata keys", Grouped(document.metadata_count)});
    table.Add({"tensors", Grouped(document.tensor_count)});
  }
  // In a faulty file, the key may be in the part that was not read.
  if (document.alignment && !document.fault) table.Add({"alignment", Grouped(*document.alignment)});
  if (document.data_begin) table.Add({"data from", absl::StrFormat("0x%x", *document.data_begin)});
  table.Print(out);
}

void PrintMetadata(const Document& document, std::ostream& out, std::size_t columns) {
  constexpr std::size_t kValueWidth = 72;
  out << "\nmetadata\n";
  Table table({Align::kLeft, Align::kLeft, Align::kLeft});
  for (const MetadataEntry& entry : document.metadata) {
    table.Add(
        {EscapeText(entry.key), TypeWordOf(entry), TextOfValue(document, entry, kValueWidth)});
  }
  table.Print(out, columns);
}

void PrintTensors(const Document& document, std::ostream& out) {
  out << "\ntensors\n";
  Table table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.Add({"name", "type", "shape", "bytes", "offset"});
  for (const TensorInfo& tensor : document.tensors) {
    const Extent extent = ExtentOf(tensor, 1);
    table.Add({EscapeText(tensor.name),
               extent.type != nullptr ? std::string(extent.type->name)
                                      : absl::StrFormat("type %u", tensor.type_id),
               ShapeText(tensor), extent.bytes ? Grouped(*extent.bytes) : "?",
               absl::StrFormat("0x%x", tensor.offset)});
  }
  table.Print(out);
}

}  // namespace

std::string ShapeText(const TensorInfo& tensor) {
  std::string text;
  for (const std::uint64_t dim : tensor.Dimensions()) {
    absl::StrAppend(&text, text.empty() ? "[" : ", ", dim);
  }
  return text.empty() ? "[]" : text + "]";
}

void InspectAsText(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out, std::size_t columns) {
  PrintHeader(document, path, out);
  if (parts.metadata && !document.metadata.empty()) PrintMetadata(document, out, columns);
  if (parts.tensors && !document.tensors.empty()) PrintTensors(document, out);
  if (parts.layout) DrawLayout(document, out);
  if (!parts.loaders.empty()) {
    out << "\nloaders\n";
    OutcomesTable(parts.loaders).Print(out, columns);
  }
}

}  // namespace ggufgate
