#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "parse/document.h"
#include "words/loader_outcomes.h"

namespace ggufgate {

// InspectParts selects the parts of a file to show.
struct InspectParts {
  bool metadata = true;
  bool tensors = true;
  bool layout = false;
  bool whole_arrays = false;  // json: all elements, not the first few
  std::string_view key = {};  // json: only this metadata key; empty: all; must outlive this
  std::span<const OutcomeInLoader> loaders = {};  // empty: none; must outlive this
};

// InspectAsText writes one file for people. InspectAsJson writes one JSON object with schema
// ggufgate.inspect/1. For a faulty file they show the parts that were read, and where reading
// stopped. `columns` is the width of the terminal.
void InspectAsText(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out, std::size_t columns = 0);
void InspectAsJson(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out);

// ValueAsText writes a complete value: a string with its line breaks and all other special
// characters escaped, an array with one element per line.
void ValueAsText(const Document& document, const MetadataEntry& entry, std::ostream& out);

// DrawLayout draws the regions of the file to scale: a map of the file, then one line per region.
void DrawLayout(const Document& document, std::ostream& out);

// ShapeText returns "[4096, 32000]", in the order of the file: the row length first.
[[nodiscard]] std::string ShapeText(const TensorInfo& tensor);

}  // namespace ggufgate
