#pragma once

// A file of which only the front is kept: all bytes after it are zeros.

#include <algorithm>
#include <utility>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate::published {

class HollowSource final : public ByteSource {
 public:
  HollowSource(std::vector<std::uint8_t> front, std::uint64_t zeros)
      : front_(std::move(front)), size_(front_.size() + zeros) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size_)) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    const std::uint64_t begin = std::min<std::uint64_t>(offset, front_.size());
    const std::uint64_t count = std::min<std::uint64_t>(front_.size() - begin, out.size());
    std::ranges::copy(Bytes(front_).subspan(begin, count), out.begin());
    std::ranges::fill(out.subspan(count), std::uint8_t{0});
    return {};
  }

 private:
  std::vector<std::uint8_t> front_;
  std::uint64_t size_;
};

}  // namespace ggufgate::published
