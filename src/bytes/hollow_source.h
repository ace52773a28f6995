#pragma once

#include <algorithm>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// HollowSource is a file with only its front in memory, which it does not own. The rest reads as
// zeros, like a hole.
class HollowSource final : public ByteSource {
 public:
  // `size` must be at least the size of the front.
  HollowSource(Bytes front, std::uint64_t size) : front_(front), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size_)) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    const std::uint64_t begin = std::min<std::uint64_t>(offset, front_.size());
    const std::uint64_t there = std::min<std::uint64_t>(front_.size() - begin, out.size());
    std::ranges::copy(front_.subspan(begin, there), out.begin());
    std::ranges::fill(out.subspan(there), std::uint8_t{0});
    return {};
  }

  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return offset < front_.size() ? offset : size_;
  }

 private:
  Bytes front_;
  std::uint64_t size_;
};

}  // namespace ggufgate
