#pragma once

#include <cstddef>

#include "bytes/bytes.h"

namespace ggufgate::fuzz {

// GuardedCopy holds a copy of some bytes that ends where an unmapped page begins: a read of one
// byte too many is a fault even without a sanitizer. Memory is mapped once and used again.
class GuardedCopy {
 public:
  // A second copy alive at the same time needs a place of its own: 0 or 1.
  explicit GuardedCopy(Bytes bytes, std::size_t place = 0);

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace ggufgate::fuzz
