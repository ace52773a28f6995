// Kernels of iq_quants.cc. Entries and signs are copied next to each other, then combined one
// register at a time.

#include <tuple>

#include "dequantize/blocks/codebooks.h"
#include "dequantize/blocks/sign_bytes.h"
#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/iq_quants_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h

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

// Lanes and Join put two or four table entries into a register. Separate stores followed by one
// load would stall.
template <typename Entry>
HWY_INLINE auto Lanes(const Entry& entry) {
  const hn::FixedTag<typename Entry::value_type, std::tuple_size_v<Entry>> d;
  return hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), hn::LoadU(d, entry.data()));
}
template <typename Entry>
HWY_INLINE hn::Vec<D16> Join(const Entry& first, const Entry& second) {
  return hn::Combine(D16(), Lanes(second), Lanes(first));
}
HWY_INLINE hn::Vec<D16> Join(const Quad& a, const Quad& b, const Quad& c, const Quad& d) {
  const hn::FixedTag<std::uint8_t, 8> d8;
  return hn::Combine(D16(), hn::Combine(d8, Lanes(d), Lanes(c)),
                     hn::Combine(d8, Lanes(b), Lanes(a)));
}

// PutSigned writes 16 magnitudes. Those with sign 0xFF are negative.
HWY_INLINE void PutSigned(hn::Vec<D16> magnitudes, hn::Vec<D16> signs, Codes<256>& codes,
                          std::size_t at) {
  Put(D16(), hn::Sub(hn::Xor(magnitudes, signs), signs), codes, at);
}

// PutSignedWhere writes 16 magnitudes. Those with their bit set, from bit `from` of a word on, are
// negative.
HWY_INLINE void PutSignedWhere(hn::Vec<D16> magnitudes, std::uint32_t signs, std::size_t from,
                               Codes<256>& codes, std::size_t at) {
  const D16 d;
  const auto negative = hn::Sub(hn::Zero(d), magnitudes);
  Put(d, hn::IfThenElse(WhereBits(d, signs, from), negative, magnitudes), codes, at);
}

// PutShifted writes 16 entries of -1, 0, 1 in eighths, plus 1, or minus 1 if `signs` are 0xFF.
HWY_INLINE void PutShifted(hn::Vec<D16> entries, hn::Vec<D16> signs, Codes<256>& codes,
                           std::size_t at) {
  const D16 d;
  Put(d, hn::Add(hn::ShiftLeft<3>(entries), hn::Or(signs, hn::Set(d, 1))), codes, at);
}

// OddScales computes d · (2s + 1) / 8 for the nibbles s in the last 8 of 16 bytes. IQ2 defines it
// as d · (½ + s) · ¼.
HWY_INLINE void OddScales(Bytes b, std::size_t at, Floats<16>& scales) {
  const D16 d;
  const auto v = Run(d, b, at);
  const auto s = hn::InterleaveUpper(d, LowNibbles(v), HighNibbles(v));
  GGUFGATE_FILLED_LATER Codes<16> codes;
  Put(d, hn::Add(hn::Add(s, s), hn::Set(d, 1)), codes, 0);
  scales.Make(codes, Half(b, 0) * 0.125F);
}

// NinthBits combines the low bytes of the 64 indexes of IQ3_S with their high bits.
HWY_INLINE void NinthBits(Bytes b, Codes<128>& indexes) {
  const D16 d;
  for (std::size_t n = 0; n < 64; n += 16) {
    const auto low = Run(d, b, 2 + n);
    const auto set = WhereBits(d, U32(b, 66 + n / 32 * 4), n % 32);
    const auto high = hn::IfThenElseZero(set, hn::Set(d, 1));
    Put(d, hn::InterleaveLower(d, low, high), indexes, 2 * n);
    Put(d, hn::InterleaveUpper(d, low, high), indexes, 2 * n + 16);
  }
}

}  // namespace

void DecodeIQ2_XXS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_XXS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = Half(b, 0) * 0.125F;
    GGUFGATE_FILLED_LATER Codes<256> codes;
    GGUFGATE_FILLED_LATER std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t indexes = U32(b, 2 + 8 * k);
      const std::uint32_t word = U32(b, 6 + 8 * k);
      scales[k] = Product(d, 2 * (word >> 28) + 1);
      PutSigned(Join(kIq2XxsGrid[indexes & 255], kIq2XxsGrid[indexes >> 8 & 255]),
                Join(kEvenSpread[word & 127], kEvenSpread[word >> 7 & 127]), codes, 32 * k);
      PutSigned(Join(kIq2XxsGrid[indexes >> 16 & 255], kIq2XxsGrid[indexes >> 24]),
                Join(kEvenSpread[word >> 14 & 127], kEvenSpread[word >> 21 & 127]), codes,
                32 * k + 16);
    }
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ2_XS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_XS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    for (std::size_t p = 0; p < 16; ++p) {
      const unsigned first = U16(b, 2 + 4 * p);
      const unsigned second = U16(b, 4 + 4 * p);
      PutSigned(Join(kIq2XsGrid[first & 511], kIq2XsGrid[second & 511]),
                Join(kEvenSpread[first >> 9], kEvenSpread[second >> 9]), codes, 16 * p);
    }
    GGUFGATE_FILLED_LATER Floats<16> scales;
    OddScales(b, 58, scales);
    ScaleGroups<16>(codes, scales.values, y);
  });
}

void DecodeIQ2_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ2_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    for (std::size_t p = 0; p < 16; ++p) {
      const unsigned high = static_cast<unsigned>(b[66 + p / 2]) >> (p % 2 * 4);
      PutSignedWhere(Join(kIq2SGrid[b[2 + 2 * p] | (high & 3) << 8],
                          kIq2SGrid[b[3 + 2 * p] | (high & 12) << 6]),
                     U32(b, 34 + p / 2 * 4), p % 2 * 16, codes, 16 * p);
    }
    GGUFGATE_FILLED_LATER Floats<16> scales;
    OddScales(b, 66, scales);
    ScaleGroups<16>(codes, scales.values, y);
  });
}

void DecodeIQ3_XXS(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ3_XXS>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = Half(b, 0) * 0.25F;
    GGUFGATE_FILLED_LATER Codes<256> codes;
    GGUFGATE_FILLED_LATER std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t word = U32(b, 66 + 4 * k);
      scales[k] = Product(d, 2 * (word >> 28) + 1);
      const auto four = [&](std::size_t at) HWY_ATTR {
        return Join(kIq3XxsGrid[b[at]], kIq3XxsGrid[b[at + 1]], kIq3XxsGrid[b[at + 2]],
                    kIq3XxsGrid[b[at + 3]]);
      };
      PutSigned(four(2 + 8 * k), Join(kEvenSpread[word & 127], kEvenSpread[word >> 7 & 127]), codes,
                32 * k);
      PutSigned(four(6 + 8 * k), Join(kEvenSpread[word >> 14 & 127], kEvenSpread[word >> 21 & 127]),
                codes, 32 * k + 16);
    }
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ3_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ3_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = Half(b, 0);
    GGUFGATE_FILLED_LATER Codes<128> indexes;  // of 16 bits
    NinthBits(b, indexes);
    GGUFGATE_FILLED_LATER Codes<256> codes;
    GGUFGATE_FILLED_LATER std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      scales[k] = Product(d, 2 * Bits(b[106 + k / 2], k % 2 * 4, 4) + 1);
      const auto entry = [&](std::size_t n) HWY_ATTR -> const Quad& {
        return kIq3SGrid[U16(indexes.bytes, 2 * n) & 511];
      };
      const std::uint32_t signs = U32(b, 74 + 4 * k);
      for (std::size_t n = 8 * k; n < 8 * k + 8; n += 4) {
        PutSignedWhere(Join(entry(n), entry(n + 1), entry(n + 2), entry(n + 3)), signs, n % 8 * 4,
                       codes, 4 * n);
      }
    }
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ1_S(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ1_S>(blocks, out, [](auto b, auto y) HWY_ATTR {
    const float d = Half(b, 0) * 0.125F;
    GGUFGATE_FILLED_LATER Codes<256> codes;
    GGUFGATE_FILLED_LATER std::array<float, 8> scales;
    for (std::size_t n = 0; n < 8; ++n) {
      const std::uint32_t low = U32(b, 2 + 4 * n);
      const unsigned word = U16(b, 34 + 2 * n);
      scales[n] = Product(d, 2 * (word >> 12 & 7) + 1);
      const auto signs = hn::Set(D16(), static_cast<std::uint8_t>((word >> 15) * 255));
      PutShifted(Join(kIq1SGrid[(low & 255) | (word << 8 & 0x700)],
                      kIq1SGrid[(low >> 8 & 255) | (word << 5 & 0x700)]),
                 signs, codes, 32 * n);
      PutShifted(Join(kIq1SGrid[(low >> 16 & 255) | (word << 2 & 0x700)],
                      kIq1SGrid[low >> 24 | (word >> 1 & 0x700)]),
                 signs, codes, 32 * n + 16);
    }
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeIQ1_M(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kIQ1_M>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    for (std::size_t p = 0; p < 16; ++p) {
      const unsigned high = b[32 + p];
      PutShifted(
          Join(kIq1SGrid[b[2 * p] | (high & 7) << 8], kIq1SGrid[b[2 * p + 1] | (high & 0x70) << 4]),
          Join(kSpread[(high >> 3 & 1) * 255], kSpread[(high >> 7) * 255]), codes, 16 * p);
    }
    const std::uint64_t words = U64(b, 48);
    const auto half = static_cast<std::uint16_t>((words >> 12 & 15) | (words >> 24 & 0xF0) |
                                                 (words >> 36 & 0xF00) | (words >> 48 & 0xF000));
    const float d = Widened(half) * 0.125F;
    GGUFGATE_FILLED_LATER std::array<float, 16> scales;
    for (std::size_t p = 0; p < 16; ++p) {
      const auto s = static_cast<unsigned>(words >> (p / 4 * 16 + p % 4 * 3) & 7);
      scales[p] = Product(d, 2 * s + 1);
    }
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
