// Kernels of legacy.cc.

#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/legacy_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeQ4_0;
using scalar::DecodeQ4_1;
using scalar::DecodeQ5_0;
using scalar::DecodeQ5_1;
using scalar::DecodeQ8_0;
using scalar::DecodeQ8_1;
#else
namespace {

// Nibbles unpacks 16 bytes, and subtracts `zero`.
HWY_INLINE void Nibbles(Bytes b, std::size_t at, std::uint8_t zero, Codes<32>& codes) {
  const D16 d;
  const auto v = Run(d, b, at);
  Put(d, hn::Sub(LowNibbles(v), hn::Set(d, zero)), codes, 0);
  Put(d, hn::Sub(HighNibbles(v), hn::Set(d, zero)), codes, 16);
}

// FiveBits unpacks 16 bytes and the word of fifth bits, and subtracts `zero`.
HWY_INLINE void FiveBits(Bytes b, std::size_t at, std::uint32_t fifth, std::uint8_t zero,
                         Codes<32>& codes) {
  const D16 d;
  const auto v = Run(d, b, at);
  const auto sixteen = hn::Set(d, 16);
  const auto low = hn::Or(LowNibbles(v), hn::IfThenElseZero(WhereBits(d, fifth, 0), sixteen));
  const auto high = hn::Or(HighNibbles(v), hn::IfThenElseZero(WhereBits(d, fifth, 16), sixteen));
  Put(d, hn::Sub(low, hn::Set(d, zero)), codes, 0);
  Put(d, hn::Sub(high, hn::Set(d, zero)), codes, 16);
}

}  // namespace

void DecodeQ4_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ4_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    Nibbles(b, 2, 8, codes);
    Scale<32>(codes.bytes, Half(b, 0), y);
  });
}

void DecodeQ4_1(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ4_1>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    Nibbles(b, 4, 0, codes);
    ScaleAndAdd<32>(codes.bytes, Half(b, 0), Half(b, 2), y);
  });
}

void DecodeQ5_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ5_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    FiveBits(b, 6, U32(b, 2), 16, codes);
    Scale<32>(codes.bytes, Half(b, 0), y);
  });
}

void DecodeQ5_1(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ5_1>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<32> codes;
    FiveBits(b, 8, U32(b, 4), 0, codes);
    ScaleAndAdd<32>(codes.bytes, Half(b, 0), Half(b, 2), y);
  });
}

void DecodeQ8_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ8_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Scale<32>(b.template subspan<2, 32>(), Half(b, 0), y);
  });
}

void DecodeQ8_1(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ8_1>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Scale<32>(b.template subspan<4, 32>(), Half(b, 0), y);
  });
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(Q4_0)
GGUFGATE_SIMD_KERNEL(Q4_1)
GGUFGATE_SIMD_KERNEL(Q5_0)
GGUFGATE_SIMD_KERNEL(Q5_1)
GGUFGATE_SIMD_KERNEL(Q8_0)
GGUFGATE_SIMD_KERNEL(Q8_1)

}  // namespace ggufgate::simd
#endif
