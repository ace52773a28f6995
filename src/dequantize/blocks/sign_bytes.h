#pragma once

#include <array>
#include <cstdint>

#include "dequantize/blocks/codebooks.h"

namespace ggufgate {

// A sign byte spread: 0xFF for every bit set, lowest first. With it, (x ^ s) - s is x or -x.
using SpreadSigns = std::array<std::uint8_t, 8>;

[[nodiscard]] constexpr SpreadSigns Spread(unsigned signs) {
  SpreadSigns spread{};
  for (unsigned j = 0; j < 8; ++j) {
    spread.at(j) = static_cast<std::uint8_t>((signs >> j & 1U) * 0xFFU);
  }
  return spread;
}

// kSpread is indexed with the sign byte, kEvenSpread with the seven bits that EvenSigns takes.
inline constexpr auto kSpread = [] {
  std::array<SpreadSigns, 256> table{};
  for (unsigned i = 0; i < table.size(); ++i) table.at(i) = Spread(i);
  return table;
}();
inline constexpr auto kEvenSpread = [] {
  std::array<SpreadSigns, 128> table{};
  for (unsigned i = 0; i < table.size(); ++i) table.at(i) = Spread(EvenSigns(i));
  return table;
}();

}  // namespace ggufgate
