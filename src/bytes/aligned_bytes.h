#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate {

// AlignedBytes owns zero-initialised memory that begins at a cache line. A vector load across two
// lines would take twice as long.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size)
      : lines_((size + kLineBytes - 1) / kLineBytes), size_(size) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] MutableBytes bytes() {
    GGUFGATE_AUDITED_BEGIN  // allocated with this size
        return {reinterpret_cast<std::uint8_t*>(lines_.data()), size_};
    GGUFGATE_AUDITED_END
  }
  [[nodiscard]] Bytes bytes() const {
    GGUFGATE_AUDITED_BEGIN  // allocated with this size
        return {reinterpret_cast<const std::uint8_t*>(lines_.data()), size_};
    GGUFGATE_AUDITED_END
  }

 private:
  static constexpr std::size_t kLineBytes = 64;
  struct alignas(kLineBytes) Line {
    std::array<std::uint8_t, kLineBytes> bytes{};
  };

  std::vector<Line> lines_;
  std::size_t size_ = 0;
};

}  // namespace ggufgate
