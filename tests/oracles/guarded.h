#pragma once

#include <cstddef>

#include "bytes/bytes.h"

namespace ggufgate::fuzz {

// GuardedCopy holds a copy of bytes that ends where an unmapped page begins. So reading one byte
// too many crashes even without a sanitizer. The memory is mapped once and reused.
class GuardedCopy {
 public:
  // A second copy at the same time needs another `place`: 0 or 1.
  explicit GuardedCopy(Bytes bytes, std::size_t place = 0);

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace ggufgate::fuzz
