#pragma once

#include <bit>
#include <cstdint>

namespace ggufgate {

// WidenF16 returns the exact value of an IEEE binary16. Subnormals become normal numbers, and
// infinities stay. A signalling NaN becomes quiet and keeps its payload, as with vcvtph2ps.
//
// No intermediate value is a binary32 subnormal, so flush-to-zero changes nothing.
[[nodiscard]] constexpr float WidenF16(std::uint16_t half) {
  constexpr std::uint32_t kExponent = 0x0F80'0000;  // of the half, after the shift
  constexpr std::uint32_t kRebias = (127U - 15U) << 23;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t magnitude = (half & 0x7FFFU) << 13;
  const std::uint32_t exponent = magnitude & kExponent;

  // m · 2^-24 equals 2^-14 · (1 + m / 1024) minus 2^-14.
  const float subnormal = std::bit_cast<float>(magnitude + (113U << 23)) - 0x1p-14F;
  const std::uint32_t quiet = magnitude > kExponent ? 0x0040'0000U : 0U;
  const std::uint32_t special = exponent == kExponent ? kRebias | quiet : 0U;
  const std::uint32_t normal = (magnitude + kRebias + (special & kRebias)) | (special & quiet);
  const std::uint32_t bits = exponent == 0 ? std::bit_cast<std::uint32_t>(subnormal) : normal;
  return std::bit_cast<float>(bits | sign);
}

static_assert(WidenF16(0x3C00) == 1.0F && WidenF16(0xC000) == -2.0F);
static_assert(WidenF16(0x0001) == 0x1p-24F && WidenF16(0x7BFF) == 65504.0F);
static_assert(std::bit_cast<std::uint32_t>(WidenF16(0x8000)) == 0x8000'0000);
static_assert(std::bit_cast<std::uint32_t>(WidenF16(0x7C00)) == 0x7F80'0000);

}  // namespace ggufgate
