#pragma once

#include <cstdint>
#include <memory>

#include "bytes/bytes.h"

namespace ggufgate {

// PrefixMemory is room for the first bytes of a file. It costs address space when it is made, and
// memory only as it is filled.
//
// Room of 2 MiB and more is asked for in huge pages: filling 8 MB in pages of 4 KiB costs the
// kernel five times what judging them costs us.
class PrefixMemory {
 public:
  // Throws std::bad_alloc, as all allocation does.
  explicit PrefixMemory(std::uint64_t size = 0);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] MutableBytes bytes() const;

  // FillSoon says that the first `size` bytes are filled next: the system is asked for their pages
  // at once, instead of page by page as they are written. Only a wish, as huge pages are.
  void FillSoon(std::uint64_t size) const;

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const;
  };
  std::unique_ptr<std::uint8_t, Free> memory_;
  std::uint64_t size_ = 0;
};

}  // namespace ggufgate
