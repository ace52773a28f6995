#pragma once

// Standard library only: the replay under MemorySanitizer uses it too.

#include <algorithm>
#include <cstdint>

#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate::testing {

// NeededBytes is how much of an accepted file is needed, from its first byte: to the end of its
// directory, or of its tensors. Without the last of them it must be rejected.
inline std::uint64_t NeededBytes(const Document& document) {
  std::uint64_t end = document.directory_end;
  for (const TensorInfo& tensor : document.tensors) {
    const auto range = DataRange(document, tensor, ExtentOf(tensor, *document.alignment));
    if (range) end = std::max(end, range->End());
  }
  return end;
}

}  // namespace ggufgate::testing
