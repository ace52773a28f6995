#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "parse/document.h"

namespace ggufgate {

// InspectParts chooses what is shown of a file.
struct InspectParts {
  bool metadata = true;
  bool tensors = true;
  bool layout = false;
  bool whole_arrays = false;  // json: all elements, not the first few
  std::string_view key = {};  // json: of the metadata this one alone; empty: all. Outlives this
};

// Each writes one file for people, or as one JSON object of schema ggufgate.inspect/1. Of a faulty
// file they show what was read, and where reading ended. `columns` are those of the terminal.
void InspectAsText(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out, std::size_t columns = 0);
void InspectAsJson(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out);

// ValueAsText writes all of a value: a string with its line breaks and everything else in it
// escaped, of an array each element on a line.
void ValueAsText(const Document& document, const MetadataEntry& entry, std::ostream& out);

// DrawLayout draws the regions of the file to scale: a map of the whole, then a line a region.
void DrawLayout(const Document& document, std::ostream& out);

// ShapeText is "[4096, 32000]", in the order of the file: the row length first.
[[nodiscard]] std::string ShapeText(const TensorInfo& tensor);

}  // namespace ggufgate
