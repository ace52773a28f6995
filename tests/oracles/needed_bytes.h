#pragma once

// Uses only the standard library, because the replay under MemorySanitizer includes it.

#include <algorithm>
#include <cstdint>

#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate::testing {

// NeededBytes returns how many bytes of an accepted file are needed: up to the end of its
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
