#pragma once

// An independent check of 64-bit arithmetic: the same sums in 128 bits, with numbers at the
// borders.

#include <array>
#include <cstdint>
#include <random>

namespace ggufgate::testing {

__extension__ using Wide = unsigned __int128;

inline constexpr Wide kMost64 = UINT64_MAX;
inline constexpr Wide kMost63 = UINT64_MAX >> 1;

// kEdges are the numbers at which sums, products and signs overflow.
inline constexpr std::array<std::uint64_t, 22> kEdges = {
    0,
    1,
    2,
    3,
    31,
    32,
    33,
    255,
    256,
    0xFFFF'FFFF,
    0x1'0000'0000,
    0x1'0000'0001,
    (std::uint64_t{1} << 62) - 1,
    std::uint64_t{1} << 62,
    (std::uint64_t{1} << 63) - 2,
    (std::uint64_t{1} << 63) - 1,
    std::uint64_t{1} << 63,
    (std::uint64_t{1} << 63) + 1,
    UINT64_MAX - 32,
    UINT64_MAX - 31,
    UINT64_MAX - 1,
    UINT64_MAX,
};

// Numbers draws 64-bit numbers of every length, half of them near an edge. The seed is fixed, so
// that failures can be reproduced.
class Numbers {
 public:
  std::uint64_t Next() {
    const std::uint64_t raw = generator_();
    if (raw % 2 == 0) return kEdges.at((raw >> 1) % kEdges.size()) + (raw >> 40) % 5 - 2;
    return generator_() >> (raw >> 8) % 64;
  }
  std::uint64_t Below(std::uint64_t bound) { return generator_() % bound; }

 private:
  std::mt19937_64 generator_{20'260'801};
};

}  // namespace ggufgate::testing
