// Kernels of few_bits.cc.

#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/few_bits_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeQ1_0;
using scalar::DecodeQ2_0;
using scalar::DecodeTQ1_0;
using scalar::DecodeTQ2_0;
#else
namespace {

// TwoBits returns bit kShift and the bit above, minus 1.
template <int kShift, class V>
HWY_INLINE V TwoBits(V v) {
  const hn::DFromV<V> d;
  return hn::Sub(hn::And(hn::ShiftRight<kShift>(v), hn::Set(d, 3)), hn::Set(d, 1));
}

// Digits writes kDigits base-3 digits of TQ1_0, minus 1, as one run of bytes each. The first digit
// is 3 · byte / 256, rounded down: 0 up to 85, 1 up to 170, then 2. The next is that of 3 · byte.
template <std::size_t kDigits, class D>
HWY_INLINE void Digits(D d, hn::Vec<D> v, Codes<256>& codes, std::size_t at, std::size_t step) {
  for (std::size_t n = 0; n < kDigits; ++n) {
    const auto one = hn::VecFromMask(d, hn::Gt(v, hn::Set(d, 85)));  // -1 where it holds
    const auto two = hn::VecFromMask(d, hn::Gt(v, hn::Set(d, 170)));
    Put(d, hn::Sub(hn::Sub(hn::Set(d, 255), one), two), codes, at + n * step);
    v = hn::Add(hn::Add(v, v), v);
  }
}

}  // namespace

void DecodeQ1_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ1_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<128> codes;
    const D32 d;
    for (std::size_t word = 0; word < 4; ++word) {
      for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto set = WhereBits(d, U32(b, 2 + 4 * word), l);
        Put(d, hn::IfThenElse(set, hn::Set(d, 1), hn::Set(d, 255)), codes, 32 * word + l);
      }
    }
    Scale<128>(codes.bytes, Half(b, 0), y);
  });
}

void DecodeQ2_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ2_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<64> codes;
    const D16 d;
    const auto v = Run(d, b, 2);
    hn::StoreInterleaved4(TwoBits<0>(v), TwoBits<2>(v), TwoBits<4>(v), TwoBits<6>(v), d,
                          codes.From(0, 64));
    Scale<64>(codes.bytes, Half(b, 0), y);
  });
}

void DecodeTQ1_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kTQ1_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) Digits<5>(d, Run(d, b, l), codes, l, 32);
    const D16 d16;
    Digits<5>(d16, Run(d16, b, 32), codes, 160, 16);
    const hn::FixedTag<std::uint8_t, 4> d4;
    Digits<4>(d4, Run(d4, b, 48), codes, 240, 4);
    Scale<256>(codes.bytes, Half(b, 52), y);
  });
}

void DecodeTQ2_0(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kTQ2_0>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto v = Run(d, b, 32 * half + l);
        const std::size_t at = 128 * half + l;
        Put(d, TwoBits<0>(v), codes, at);
        Put(d, TwoBits<2>(v), codes, at + 32);
        Put(d, TwoBits<4>(v), codes, at + 64);
        Put(d, TwoBits<6>(v), codes, at + 96);
      }
    }
    Scale<256>(codes.bytes, Half(b, 64), y);
  });
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(Q1_0)
GGUFGATE_SIMD_KERNEL(Q2_0)
GGUFGATE_SIMD_KERNEL(TQ1_0)
GGUFGATE_SIMD_KERNEL(TQ2_0)

}  // namespace ggufgate::simd
#endif
