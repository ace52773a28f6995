#pragma once

// Standard library only, because the replay under MemorySanitizer uses it too.

#include <algorithm>
#include <cstdint>

#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate::testing {

// NeededBytes returns the size of the required front of an accepted file: up to the end of its
// directory, or of its tensors. Without the last of these bytes, the file must be rejected.
inline std::uint64_t NeededBytes(const Document& document) {
  std::uint64_t end = document.directory_end;
  for (const TensorInfo& tensor : document.tensors) {
    const auto range = DataRange(document, tensor, ExtentOf(tensor, *document.alignment));
    if (range) end = std::max(end, range->End());
  }
  return end;
}

}  // namespace ggufgate::testing
