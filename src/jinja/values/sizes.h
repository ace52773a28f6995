#pragma once

// How large a value in a template is, as far as constants tell. Not for users of the library.

#include <algorithm>
#include <cstdint>

namespace ggufgate {

struct TemplateSizes {
  std::uint64_t bytes = 0;     // when rendered
  std::uint32_t elements = 0;  // of a container
  std::uint32_t inner = 0;     // elements of the largest container in it
  std::int64_t most = 0;       // the largest number
  std::int64_t supposed = 0;   // the same, if all that is not followed is as large as it may be
  std::uint16_t depth = 0;     // containers within each other

  // Join makes each size at least as large as that of `more`; Narrow, at most.
  void Join(const TemplateSizes& more) {
    bytes = std::max(bytes, more.bytes);
    elements = std::max(elements, more.elements);
    inner = std::max(inner, more.inner);
    depth = std::max(depth, more.depth);
    most = std::max(most, more.most);
    supposed = std::max(supposed, more.supposed);
  }
  void Narrow(const TemplateSizes& limit) {
    bytes = std::min(bytes, limit.bytes);
    elements = std::min(elements, limit.elements);
    inner = std::min(inner, limit.inner);
    depth = std::min(depth, limit.depth);
    most = std::min(most, limit.most);
    supposed = std::min(supposed, limit.supposed);
  }
};

}  // namespace ggufgate
