#pragma once

#include <algorithm>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// MemorySource reads bytes in memory, which it does not own.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(bytes_.size())) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    std::ranges::copy(bytes_.subspan(offset, out.size()), out.begin());
    return {};
  }

 private:
  Bytes bytes_;
};

}  // namespace ggufgate
