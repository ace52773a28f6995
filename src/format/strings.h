#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate {

// Strings walks over the strings of an array, each of which stands behind its length.
//
//   for (Strings strings(elements); strings.Next();) Use(strings.text());
class Strings {
 public:
  // A length has 8 bytes, or 4 in version 1.
  explicit Strings(Bytes elements, ByteOrder order = ByteOrder::kLittle,
                   std::size_t length_bytes = 8)
      : rest_(elements), order_(order), length_bytes_(length_bytes) {}

  // Next moves to the next string; false where no whole one follows.
  // Inlined it knows order and length of most callers, and takes half the time.
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
  [[nodiscard]] Bytes rest() const { return rest_; }  // what is behind the current string

 private:
  Bytes rest_;
  ByteOrder order_;
  std::size_t length_bytes_;
  Bytes text_;
};

// SizeOfStrings is the number of bytes that the first `count` strings take; nullopt when there are
// not so many.
[[nodiscard]] inline std::optional<std::size_t> SizeOfStrings(
    Bytes elements, std::uint64_t count, ByteOrder order = ByteOrder::kLittle) {
  Strings strings(elements, order);
  for (; count > 0; --count) {
    if (!strings.Next()) return std::nullopt;
  }
  return elements.size() - strings.rest().size();
}

}  // namespace ggufgate
