#pragma once

#include <ostream>
#include <string>

#include "parse/document.h"

namespace ggufgate {

// InspectParts chooses what is shown of a file.
struct InspectParts {
  bool metadata = true;
  bool tensors = true;
  bool layout = false;
  bool whole_arrays = false;  // json: all elements, not the first few
};

// Each writes one file for people, or as one JSON object of schema ggufgate.inspect/1. Of a faulty
// file they show what was read, and where reading ended.
void InspectAsText(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out);
void InspectAsJson(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out);

// DrawLayout draws the regions of the file to scale: a map of the whole, then a line a region.
void DrawLayout(const Document& document, std::ostream& out);

// ShapeText is "[4096, 32000]", in the order of the file: the row length first.
[[nodiscard]] std::string ShapeText(const TensorInfo& tensor);

}  // namespace ggufgate
