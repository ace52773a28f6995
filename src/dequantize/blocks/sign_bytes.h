#pragma once

#include <array>
#include <cstdint>

#include "dequantize/blocks/codebooks.h"

namespace ggufgate {

// SpreadSigns is a spread sign byte s: 0xFF for every set bit, lowest first. (x ^ s) - s is x or
// -x.
using SpreadSigns = std::array<std::uint8_t, 8>;

[[nodiscard]] constexpr SpreadSigns Spread(unsigned signs) {
  SpreadSigns spread{};
  for (unsigned j = 0; j < 8; ++j) {
    spread.at(j) = static_cast<std::uint8_t>((signs >> j & 1U) * 0xFFU);
  }
  return spread;
}

// The index of kSpread is the sign byte. The index of kEvenSpread is the argument of EvenSigns,
// seven bits.
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
