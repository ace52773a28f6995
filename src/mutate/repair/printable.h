#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate::mutate {

// IsPrintableAscii is true when every byte is from a space to '~'. Repair asks for every name of
// every mutant.
[[nodiscard]] inline bool IsPrintableAscii(std::string_view text) {
  constexpr std::size_t kWord = 8;
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  if (text.size() < kWord) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  }
  // The high bit of a byte is set in one from 0x80 on; with 1 more, in 0x7F; and with 0x60 more it
  // is not set in one below a space. Nothing is carried over that does not offend already.
  std::uint64_t bits = 0;
  const auto judge = [&bits](Bytes bytes) {
    const auto word = Load<std::uint64_t>(bytes, ByteOrder::kLittle);
    bits |= word | (word + kOnes) | ~((word | 0x80 * kOnes) - 0x20 * kOnes);
  };
  for (Bytes rest = AsBytes(text); rest.size() > kWord; rest = rest.subspan(kWord)) judge(rest);
  judge(AsBytes(text).last(kWord));
  return (bits & 0x80 * kOnes) == 0;
}

}  // namespace ggufgate::mutate
