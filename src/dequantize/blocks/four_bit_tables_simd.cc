// Kernels of four_bit_tables.cc: one byte shuffle looks up the sixteen levels.

#include "dequantize/blocks/codebooks.h"
#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/four_bit_tables_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeIQ4_NL;
using scalar::DecodeIQ4_XS;
using scalar::DecodeMXFP4;
using scalar::DecodeNVFP4;
#else
namespace {

using Levels = std::array<std::int8_t, 16>;

// LevelsIn loads a table for LevelsOf.
HWY_INLINE hn::Vec<D16> LevelsIn(const Levels& levels) {
  const hn::FixedTag<std::int8_t, 16> ds;
  return hn::BitCast(D16(), hn::LoadU(ds, levels.data()));
}

// LevelsOf looks up 32 nibbles, split as by N().
template <std::size_t kCount>
HWY_INLINE void LevelsOf(hn::Vec<D16> levels, Bytes b, std::size_t from, Codes<kCount>& codes,
                         std::size_t at) {
  const D16 d;
  const auto v = Run(d, b, from);
  Put(d, hn::TableLookupBytes(levels, LowNibbles(v)), codes, at);
  Put(d, hn::TableLookupBytes(levels, HighNibbles(v)), codes, at + 16);
}

}  // namespace

void DecodeIQ4_NL(Bytes blocks, std::span<float> out) {
  const auto levels = LevelsIn(kIq4Levels);
  ForEach<TensorType::kIQ4_NL>(blocks, out, [&levels](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    LevelsOf(levels, b, 2, codes, 0);
    Scale<32>(codes.bytes, Half(b, 0), y);
  });
}

void DecodeIQ4_XS(Bytes blocks, std::span<float> out) {
  const auto levels = LevelsIn(kIq4Levels);
  ForEach<TensorType::kIQ4_XS>(blocks, out, [&levels](auto b, auto y) HWY_ATTR {
    const float d = Half(b, 0);
    const unsigned high = U16(b, 2);
    const std::uint32_t low = U32(b, 4);
    GGUFGATE_FILLED_LATER Codes<256> codes;
    GGUFGATE_FILLED_LATER std::array<float, 8> scales;
    for (std::size_t k = 0; k < 8; ++k) {
      LevelsOf(levels, b, 8 + 16 * k, codes, 32 * k);
      const unsigned s = (low >> (4 * k) & 15) | (high >> (2 * k) & 3) << 4;
      scales[k] = Product(d, static_cast<int>(s) - 32);
    }
    ScaleGroups<8>(codes, scales, y);
  });
}

void DecodeMXFP4(Bytes blocks, std::span<float> out) {
  const auto levels = LevelsIn(kFp4Levels);
  ForEach<TensorType::kMXFP4>(blocks, out, [&levels](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    LevelsOf(levels, b, 1, codes, 0);
    Scale<32>(codes.bytes, E8M0Half(b[0]), y);
  });
}

void DecodeNVFP4(Bytes blocks, std::span<float> out) {
  const auto levels = LevelsIn(kFp4Levels);
  ForEach<TensorType::kNVFP4>(blocks, out, [&levels](auto b, auto y) HWY_ATTR {
    const D16 d;
    GGUFGATE_FILLED_LATER Codes<64> codes;
    for (std::size_t pair = 0; pair < 2; ++pair) {  // of groups of 16
      const auto v = Run(d, b, 4 + 16 * pair);
      const auto low = hn::TableLookupBytes(levels, LowNibbles(v));
      const auto high = hn::TableLookupBytes(levels, HighNibbles(v));
      Put(d, hn::ConcatLowerLower(d, high, low), codes, 32 * pair);
      Put(d, hn::ConcatUpperUpper(d, high, low), codes, 32 * pair + 16);
    }
    for (std::size_t group = 0; group < 4; ++group) {
      Scale<16>(codes.template Some<16>(16 * group), kUe4M3Halves[b[group]],
                y.subspan(16 * group).template first<16>());
    }
  });
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(IQ4_NL)
GGUFGATE_SIMD_KERNEL(IQ4_XS)
GGUFGATE_SIMD_KERNEL(MXFP4)
GGUFGATE_SIMD_KERNEL(NVFP4)

}  // namespace ggufgate::simd
#endif
