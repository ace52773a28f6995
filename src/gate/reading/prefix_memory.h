#pragma once

#include <cstdint>
#include <memory>

#include "bytes/bytes.h"

namespace ggufgate {

// PrefixMemory is a buffer for the first bytes of a file. It reserves address space when it is
// created, and uses memory only as it is filled.
//
// Buffers of 2 MiB or more use huge pages: filling 8 MB in pages of 4 KiB takes the kernel five
// times as long as checking them takes.
class PrefixMemory {
 public:
  // Throws std::bad_alloc if the allocation fails.
  explicit PrefixMemory(std::uint64_t size = 0);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] MutableBytes bytes() const;

  // FillSoon announces that the first `size` bytes are filled next. The system then allocates their
  // pages at once, not page by page. This is only a hint, like huge pages.
  void FillSoon(std::uint64_t size) const;

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const;
  };
  std::unique_ptr<std::uint8_t, Free> memory_;
  std::uint64_t size_ = 0;
};

}  // namespace ggufgate
