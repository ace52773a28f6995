#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate::mutate {

// InEachByte returns a word with the same byte in all 8 places.
[[nodiscard]] constexpr std::uint64_t InEachByte(char c) {
  return std::uint64_t{0x0101'0101'0101'0101} * static_cast<unsigned char>(c);
}

// ForEachWord calls `act` with a text as little-endian words of 8 bytes. Each byte is in a word,
// and each pair of neighbours is in a word or at the border of two. The last word may overlap the
// one before. Texts of fewer than 8 bytes are one word, with some bytes twice and spaces at its
// end. The function is inlined, so that sums in `act` stay in registers.
template <typename Act>
[[gnu::always_inline]] inline void ForEachWord(std::string_view text, Act act) {
  constexpr ByteOrder kOrder = ByteOrder::kLittle;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  constexpr std::size_t kHalf = sizeof(std::uint32_t);
  const Bytes bytes = AsBytes(text);
  if (bytes.size() >= kWord) {
    for (Bytes rest = bytes; rest.size() > kWord; rest = rest.subspan(kWord)) {
      act(Load<std::uint64_t>(rest, kOrder));
    }
    act(Load<std::uint64_t>(bytes.last(kWord), kOrder));
  } else if (bytes.size() >= kHalf) {
    const std::uint64_t end = Load<std::uint32_t>(bytes.last(kHalf), kOrder);
    act(end << 32 | Load<std::uint32_t>(bytes, kOrder));
  } else if (!bytes.empty()) {
    const std::uint64_t middle = bytes[bytes.size() / 2];
    const std::uint64_t end = bytes.back();
    act(InEachByte(' ') << 24 | end << 16 | middle << 8 | bytes.front());
  }
}

}  // namespace ggufgate::mutate
