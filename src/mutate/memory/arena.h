#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// Arena allocates pieces of one block of memory, and releases all of them at once.
class Arena {
 public:
  explicit Arena(std::size_t room) : bytes_(room), room_(room) {}

  // Take returns `size` uninitialised bytes, or an empty span if fewer are left.
  [[nodiscard]] MutableBytes Take(std::size_t size) {
    if (size > Left()) return {};
    const MutableBytes taken = MutableBytes(bytes_).subspan(used_, size);
    used_ += size;
    return taken;
  }
  // Copy returns a copy of `bytes`; empty without room.
  [[nodiscard]] MutableBytes Copy(Bytes bytes) {
    const MutableBytes copy = Take(bytes.size());
    if (!copy.empty()) std::ranges::copy(bytes, copy.begin());
    return copy;
  }
  [[nodiscard]] std::string_view Copy(std::string_view text) { return AsText(Copy(AsBytes(text))); }
  [[nodiscard]] std::size_t Left() const { return room_ - used_; }
  // Reset releases all pieces. Afterwards at most `room` bytes can be allocated.
  void Reset(std::size_t room = SIZE_MAX) {
    used_ = 0;
    room_ = std::min(room, bytes_.size());
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t room_;
  std::size_t used_ = 0;
};

}  // namespace ggufgate::mutate
