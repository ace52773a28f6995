#include "tests/oracles/draw.h"

#include <algorithm>
#include <cstddef>

namespace ggufgate::fuzz {

std::uint64_t SeedOf(Bytes input) {
  std::uint64_t seed = input.size();
  for (const std::uint8_t byte : input.last(std::min<std::size_t>(input.size(), 8))) {
    seed = seed << 8 | byte;
  }
  return seed;
}

std::uint64_t DrawOf(Bytes input) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a
  for (const std::uint8_t byte : input) hash = (hash ^ byte) * 0x100'0000'01B3;
  return hash;
}

}  // namespace ggufgate::fuzz
