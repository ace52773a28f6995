// Kernels of iq_quants.cc: entries and signs are copied side by side, and joined a register at a
// time.

#include "dequantize/codebooks.h"
#include "dequantize/sign_bytes.h"
#include "dequantize/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/iq_quants_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/vectors.inc"  // behind it

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeIQ1_M;
using scalar::DecodeIQ1_S;
using scalar::DecodeIQ2_S;
using scalar::DecodeIQ2_XS;
using scalar::DecodeIQ2_XXS;
using scalar::DecodeIQ3_S;
using scalar::DecodeIQ3_XXS;
#else
namespace {

// Copy puts one entry of a table in its place. The compiler knows the size.
template <typename Entry>
HWY_INLINE void Copy(const Entry& entry, Codes<256>& codes, std::size_t at) {
  std::memcpy(codes.From(at, entry.size()), entry.data(), entry.size());
}

// Negate applies spread signs to magnitudes.
HWY_INLINE void Negate(const Codes<256>& signs, Codes<256>& codes) {
  const D64 d;
  for (std::size_t i = 0; i < 256; i += hn::Lanes(d)) {
    const auto s = Run(d, signs.bytes, i);
    Put(d, hn::Sub(hn::Xor(Run(d, codes.bytes, i), s), s), codes, i);
  }
}

// ShiftEighths turns entries of -1, 0, 1 into eighths, and adds 1, or -1 where `signs` are set.
HWY_INLINE void ShiftEighths(const Codes<256>& signs, Codes<256>& codes) {
  const D64 d;
  for (std::size_t i = 0; i < 256; i += hn::Lanes(d)) {
    const auto shift = hn::Or(Run(d, signs.bytes, i), hn::Set(d, 1));
    Put(d, hn::Add(hn::ShiftLeft<3>(Run(d, codes.bytes, i)), shift), codes, i);
  }
}

// OddScales makes d · (2s + 1) / 8 of the nibbles s in the last 8 of 16 bytes: what IQ2 writes as
// d · (½ + s) · ¼.
HWY_INLINE void OddScales(Bytes b, std::size_t at, Floats<16>& scales) {
  const D16 d;
  const auto v = Run(d, b, at);
  const auto s = hn::InterleaveUpper(d, LowNibbles(v), HighNibbles(v));
  Codes<16> codes;
  Put(d, hn::Add(hn::Add(s, s), hn::Set(d, 1)), codes, 0);
  scales.Make(codes, F16(b, 0) * 0.125F);
}

}  // namespace

void DecodeIQ2_XXS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_XXS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = F16(b, 0) * 0.125F;
    Codes<256> codes;
    Codes<256> signs;
    std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t indexes = U32(b, 2 + 8 * k);
      const std::uint32_t word = U32(b, 6 + 8 * k);
      scales[k] = Product(d, 2 * (word >> 28) + 1);
      for (std::size_t l = 0; l < 4; ++l) {
        Copy(kIq2XxsGrid[indexes >> (8 * l) & 255], codes, 32 * k + 8 * l);
        Copy(kEvenSpread[word >> (7 * l) & 127], signs, 32 * k + 8 * l);
      }
    }
    Negate(signs, codes);
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ2_XS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_XS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Codes<256> codes;
    Codes<256> signs;
    for (std::size_t k = 0; k < 32; ++k) {
      const unsigned word = U16(b, 2 + 2 * k);
      Copy(kIq2XsGrid[word & 511], codes, 8 * k);
      Copy(kEvenSpread[word >> 9], signs, 8 * k);
    }
    Floats<16> scales;
    OddScales(b, 58, scales);
    Negate(signs, codes);
    ScaleGroups<16>(codes, scales.values, y);
  });
}

void DecodeIQ2_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Codes<256> codes;
    Codes<256> signs;
    for (std::size_t n = 0; n < 8; ++n) {
      const unsigned high = b[66 + n];
      for (std::size_t l = 0; l < 4; ++l) {
        const std::size_t k = 4 * n + l;
        Copy(kIq2SGrid[b[2 + k] | (high << (8 - 2 * l) & 0x300)], codes, 8 * k);
        Copy(kSpread[b[34 + k]], signs, 8 * k);
      }
    }
    Floats<16> scales;
    OddScales(b, 66, scales);
    Negate(signs, codes);
    ScaleGroups<16>(codes, scales.values, y);
  });
}

void DecodeIQ3_XXS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ3_XXS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = F16(b, 0) * 0.25F;
    Codes<256> codes;
    Codes<256> signs;
    std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t word = U32(b, 66 + 4 * k);
      scales[k] = Product(d, 2 * (word >> 28) + 1);
      for (std::size_t l = 0; l < 4; ++l) {
        Copy(kIq3XxsGrid[b[2 + 8 * k + 2 * l]], codes, 32 * k + 8 * l);
        Copy(kIq3XxsGrid[b[3 + 8 * k + 2 * l]], codes, 32 * k + 8 * l + 4);
        Copy(kEvenSpread[word >> (7 * l) & 127], signs, 32 * k + 8 * l);
      }
    }
    Negate(signs, codes);
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ3_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ3_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = F16(b, 0);
    Codes<256> codes;
    Codes<256> signs;
    std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      const unsigned high = b[66 + k];
      scales[k] = Product(d, 2 * Bits(b[106 + k / 2], k % 2 * 4, 4) + 1);
      for (std::size_t l = 0; l < 4; ++l) {
        const std::size_t n = 8 * k + 2 * l;
        Copy(kIq3SGrid[b[2 + n] | (high << (8 - 2 * l) & 256)], codes, 4 * n);
        Copy(kIq3SGrid[b[3 + n] | (high << (7 - 2 * l) & 256)], codes, 4 * n + 4);
        Copy(kSpread[b[74 + 4 * k + l]], signs, 4 * n);
      }
    }
    Negate(signs, codes);
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ1_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ1_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = F16(b, 0) * 0.125F;
    Codes<256> codes;
    Codes<256> signs;
    std::array<float, 8> scales;
    for (std::size_t n = 0; n < 8; ++n) {
      const unsigned word = U16(b, 34 + 2 * n);
      scales[n] = Product(d, 2 * (word >> 12 & 7) + 1);
      for (std::size_t l = 0; l < 4; ++l) {
        const std::size_t k = 4 * n + l;
        Copy(kIq1SGrid[b[2 + k] | (word >> (3 * l) & 7) << 8], codes, 8 * k);
        Copy(kSpread[(word >> 15) * 255], signs, 8 * k);
      }
    }
    ShiftEighths(signs, codes);
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ1_M(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ1_M>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Codes<256> codes;
    Codes<256> signs;
    for (std::size_t p = 0; p < 16; ++p) {
      const unsigned high = b[32 + p];
      Copy(kIq1SGrid[b[2 * p] | (high & 7) << 8], codes, 16 * p);
      Copy(kIq1SGrid[b[2 * p + 1] | (high >> 4 & 7) << 8], codes, 16 * p + 8);
      Copy(kSpread[(high >> 3 & 1) * 255], signs, 16 * p);
      Copy(kSpread[(high >> 7) * 255], signs, 16 * p + 8);
    }
    const std::uint64_t words = U64(b, 48);
    const auto half = static_cast<std::uint16_t>((words >> 12 & 15) | (words >> 24 & 0xF0) |
                                                 (words >> 36 & 0xF00) | (words >> 48 & 0xF000));
    const float d = WidenF16(half) * 0.125F;
    std::array<float, 16> scales;
    for (std::size_t p = 0; p < 16; ++p) {
      const auto s = static_cast<unsigned>(words >> (p / 4 * 16 + p % 4 * 3) & 7);
      scales[p] = Product(d, 2 * s + 1);
    }
    ShiftEighths(signs, codes);
    ScaleGroups<16>(codes, scales, y);
  });
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(IQ1_M)
GGUFGATE_SIMD_KERNEL(IQ1_S)
GGUFGATE_SIMD_KERNEL(IQ2_S)
GGUFGATE_SIMD_KERNEL(IQ2_XS)
GGUFGATE_SIMD_KERNEL(IQ2_XXS)
GGUFGATE_SIMD_KERNEL(IQ3_S)
GGUFGATE_SIMD_KERNEL(IQ3_XXS)

}  // namespace ggufgate::simd
#endif
