#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate {

// Strings iterates over the strings of an array. The length of each string precedes it.
//
//   for (Strings strings(elements); strings.Next();) Use(strings.text());
class Strings {
 public:
  // Lengths have 8 bytes, or 4 in version 1.
  explicit Strings(Bytes elements, ByteOrder order = ByteOrder::kLittle,
                   std::size_t length_bytes = 8)
      : rest_(elements), order_(order), length_bytes_(length_bytes) {}

  // Next moves to the next string; false if no complete one follows. It is inlined because the
  // compiler then knows byte order and length in most callers, which halves its time.
  [[nodiscard]] [[gnu::always_inline]] bool Next() {
    if (rest_.size() < length_bytes_) return false;
    const std::uint64_t length = length_bytes_ == 8 ? Load<std::uint64_t>(rest_, order_)
                                                    : Load<std::uint32_t>(rest_, order_);
    if (length > rest_.size() - length_bytes_) return false;
    text_ = rest_.subspan(length_bytes_, length);
    rest_ = rest_.subspan(length_bytes_ + length);
    return true;
  }

  [[nodiscard]] Bytes bytes() const { return text_; }
  [[nodiscard]] std::string_view text() const { return AsText(text_); }
  [[nodiscard]] Bytes rest() const { return rest_; }  // everything after the current string

 private:
  Bytes rest_;
  ByteOrder order_;
  std::size_t length_bytes_;
  Bytes text_;
};

// SizeOfStrings returns the size of the first `count` strings; nullopt if there are fewer.
[[nodiscard]] inline std::optional<std::size_t> SizeOfStrings(
    Bytes elements, std::uint64_t count, ByteOrder order = ByteOrder::kLittle) {
  Strings strings(elements, order);
  for (; count > 0; --count) {
    if (!strings.Next()) return std::nullopt;
  }
  return elements.size() - strings.rest().size();
}

}  // namespace ggufgate
