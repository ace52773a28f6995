#pragma once

// The tables of types that store indexes. Source of the numbers: ggml d99724f2, src/ggml-common.h;
// tests/dequantize/blocks/codebooks_test.cc checks their digests.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ggufgate {

// Octet and Quad are entries: the elements of a group, before scale and sign.
using Octet = std::array<std::int8_t, 8>;
using Quad = std::array<std::int8_t, 4>;

extern const std::array<Octet, 256> kIq2XxsGrid;  // 8, 25, 43
extern const std::array<Octet, 512> kIq2XsGrid;
extern const std::array<Octet, 1024> kIq2SGrid;
extern const std::array<Quad, 256> kIq3XxsGrid;  // 4, 12, 20, 28, 36, 44, 52, 62
extern const std::array<Quad, 512> kIq3SGrid;    // 1, 3, 5, … 15
extern const std::array<Octet, 2048> kIq1SGrid;  // -1, 0, 1; also for IQ1_M

// The levels of IQ4_NL and IQ4_XS, and twice the E2M1 values of MXFP4 and NVFP4; their -0 is 0
// here.
inline constexpr std::array<std::int8_t, 16> kIq4Levels = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
inline constexpr std::array<std::int8_t, 16> kFp4Levels = {0, 1,  2,  3,  4,  6,  8,  12,
                                                           0, -1, -2, -3, -4, -6, -8, -12};

// EvenSigns returns the eight sign bits for an index of seven bits: the index, and a top bit that
// makes the number of set bits even.
[[nodiscard]] constexpr unsigned EvenSigns(unsigned index) {
  unsigned parity = index ^ index >> 4;
  parity ^= parity >> 2;
  parity ^= parity >> 1;
  return index | (parity & 1U) << 7;
}
static_assert(EvenSigns(0) == 0 && EvenSigns(1) == 129 && EvenSigns(3) == 3);

// E8M0Half returns half of the scale for a byte of MXFP4, 2^(byte - 128), because the levels are
// doubled. The first two are subnormal, so they are made from bits, which flush-to-zero cannot
// change. 255, a NaN in the OCP specification, is 2^127 here as in the reference.
[[nodiscard]] constexpr float E8M0Half(std::uint8_t byte) {
  const std::uint32_t bits = byte < 2 ? 0x0020'0000U << byte : (byte - 1U) << 23;
  return std::bit_cast<float>(bits);
}

// kUe4M3Halves has halves of the scales of NVFP4, by byte. The sign bit has no meaning, with one
// exception: 0x7F is 0, but 0xFF is 240.
extern const std::array<float, 256> kUe4M3Halves;

}  // namespace ggufgate
