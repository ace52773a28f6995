// Kernels of k_quants.cc.

#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/k_quants_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeQ2_K;
using scalar::DecodeQ3_K;
using scalar::DecodeQ4_K;
using scalar::DecodeQ5_K;
using scalar::DecodeQ6_K;
using scalar::DecodeQ8_K;
#else
namespace {

// PutWord stores the bytes of a word, lowest first.
template <std::size_t kCount, typename T>
HWY_INLINE void PutWord(T word, Codes<kCount>& codes, std::size_t at) {
  Store(word, ByteOrder::kLittle, std::span(codes.bytes).subspan(at));
}

// SixBitPairs unpacks the scales and minimums of Q4_K and Q5_K, four at a time: byte k of a word
// belongs to group k, or k + 4. The first four have a byte each. The others have four bits in the
// third word, and two at the top of each byte of the first and second.
HWY_INLINE void SixBitPairs(Bytes b, Codes<8>& scales, Codes<8>& minimums) {
  constexpr std::uint32_t kSix = 0x3F3F'3F3F;
  constexpr std::uint32_t kFour = 0x0F0F'0F0F;
  constexpr std::uint32_t kTwo = 0x0303'0303;
  const std::uint32_t first = U32(b, 4);
  const std::uint32_t second = U32(b, 8);
  const std::uint32_t third = U32(b, 12);
  PutWord(first & kSix, scales, 0);
  PutWord((third & kFour) | (first >> 6 & kTwo) << 4, scales, 4);
  PutWord(second & kSix, minimums, 0);
  PutWord((third >> 4 & kFour) | (second >> 6 & kTwo) << 4, minimums, 4);
}

// SixBitScales unpacks the scales of Q3_K, eight at a time.
HWY_INLINE void SixBitScales(Bytes b, Codes<16>& scales) {
  constexpr std::uint64_t kFour = 0x0F0F'0F0F'0F0F'0F0F;
  constexpr std::uint32_t kTwo = 0x0303'0303;
  const std::uint64_t low = U64(b, 96);
  const std::uint32_t high = U32(b, 104);
  const auto two = [high](unsigned shift) HWY_ATTR {
    return std::uint64_t{high >> shift & kTwo} | std::uint64_t{high >> (shift + 2) & kTwo} << 32;
  };
  PutWord((low & kFour) | two(0) << 4, scales, 0);
  PutWord((low >> 4 & kFour) | two(4) << 4, scales, 8);
  const D16 d;
  Put(d, hn::Sub(Run(d, scales.bytes, 0), hn::Set(d, 32)), scales, 0);
}

// Plane returns bits 2 · kPlane and 2 · kPlane + 1.
template <int kPlane, class V>
HWY_INLINE V Plane(V v) {
  return hn::And(hn::ShiftRight<2 * kPlane>(v), hn::Set(hn::DFromV<V>(), 3));
}

// ScaledWithMinimums is the last step for Q4_K and Q5_K.
HWY_INLINE void ScaledWithMinimums(Bytes b, const Codes<256>& codes, std::span<float, 256> y) {
  GGUFGATE_FILLED_LATER Codes<8> scales;
  GGUFGATE_FILLED_LATER Codes<8> minimums;
  SixBitPairs(b, scales, minimums);
  GGUFGATE_FILLED_LATER Floats<8> factors;
  GGUFGATE_FILLED_LATER Floats<8> terms;
  factors.Make(scales, Half(b, 0));
  terms.Make(minimums, -Half(b, 2));
  ScaleAndAddGroups<8>(codes, factors.values, terms.values, y);
}

}  // namespace

void DecodeQ2_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ2_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<16> scales;
    GGUFGATE_FILLED_LATER Codes<16> minimums;
    const D16 d16;
    const auto pairs = Run(d16, b, 0);
    Put(d16, LowNibbles(pairs), scales, 0);
    Put(d16, HighNibbles(pairs), minimums, 0);
    GGUFGATE_FILLED_LATER Floats<16> factors;
    GGUFGATE_FILLED_LATER Floats<16> terms;
    factors.Make(scales, Half(b, 80));
    terms.Make(minimums, -Half(b, 82));

    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto v = Run(d, b, 16 + 32 * half + l);
        const std::size_t at = 128 * half + l;
        Put(d, Plane<0>(v), codes, at);
        Put(d, Plane<1>(v), codes, at + 32);
        Put(d, Plane<2>(v), codes, at + 64);
        Put(d, Plane<3>(v), codes, at + 96);
      }
    }
    ScaleAndAddGroups<16>(codes, factors.values, terms.values, y);
  });
}

void DecodeQ3_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ3_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<16> scales;
    SixBitScales(b, scales);
    GGUFGATE_FILLED_LATER Floats<16> factors;
    factors.Make(scales, Half(b, 108));

    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    const auto four = hn::Set(d, 4);
    for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
      const auto third = Run(d, b, l);
      // If its third bit is not set, a code is 4 less.
      const auto less = [&](unsigned bit) HWY_ATTR {
        const auto mask = hn::Set(d, static_cast<std::uint8_t>(1U << bit));
        return hn::IfThenZeroElse(hn::TestBit(third, mask), four);
      };
      for (std::size_t half = 0; half < 2; ++half) {
        const auto v = Run(d, b, 32 + 32 * half + l);
        const std::size_t at = 128 * half + l;
        const auto bit = static_cast<unsigned>(4 * half);
        Put(d, hn::Sub(Plane<0>(v), less(bit)), codes, at);
        Put(d, hn::Sub(Plane<1>(v), less(bit + 1)), codes, at + 32);
        Put(d, hn::Sub(Plane<2>(v), less(bit + 2)), codes, at + 64);
        Put(d, hn::Sub(Plane<3>(v), less(bit + 3)), codes, at + 96);
      }
    }
    ScaleGroups<16>(codes, factors.values, y);
  });
}

void DecodeQ4_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ4_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    for (std::size_t pair = 0; pair < 4; ++pair) {
      for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto v = Run(d, b, 16 + 32 * pair + l);
        Put(d, LowNibbles(v), codes, 64 * pair + l);
        Put(d, HighNibbles(v), codes, 64 * pair + 32 + l);
      }
    }
    ScaledWithMinimums(b, codes, y);
  });
}

void DecodeQ5_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ5_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    const auto sixteen = hn::Set(d, 16);
    for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
      const auto fifth = Run(d, b, 16 + l);
      for (std::size_t pair = 0; pair < 4; ++pair) {
        const auto v = Run(d, b, 48 + 32 * pair + l);
        const auto more = [&](std::size_t bit) HWY_ATTR {
          const auto mask = hn::Set(d, static_cast<std::uint8_t>(1U << bit));
          return hn::IfThenElseZero(hn::TestBit(fifth, mask), sixteen);
        };
        Put(d, hn::Or(LowNibbles(v), more(2 * pair)), codes, 64 * pair + l);
        Put(d, hn::Or(HighNibbles(v), more(2 * pair + 1)), codes, 64 * pair + 32 + l);
      }
    }
    ScaledWithMinimums(b, codes, y);
  });
}

void DecodeQ6_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ6_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    GGUFGATE_FILLED_LATER Floats<16> factors;
    Scale<16>(b.template subspan<192, 16>(), Half(b, 208), factors.values);

    GGUFGATE_FILLED_LATER Codes<256> codes;
    const D32 d;
    const auto zero = hn::Set(d, 32);
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto first = Run(d, b, 64 * half + l);
        const auto second = Run(d, b, 64 * half + 32 + l);
        const auto high = Run(d, b, 128 + 32 * half + l);
        const std::size_t at = 128 * half + l;
        const auto put = [&](auto low, auto two, std::size_t group) HWY_ATTR {
          const auto q = hn::Or(low, hn::ShiftLeft<4>(two));
          Put(d, hn::Sub(q, zero), codes, at + 32 * group);
        };
        put(LowNibbles(first), Plane<0>(high), 0);
        put(LowNibbles(second), Plane<1>(high), 1);
        put(HighNibbles(first), Plane<2>(high), 2);
        put(HighNibbles(second), Plane<3>(high), 3);
      }
    }
    ScaleGroups<16>(codes, factors.values, y);
  });
}

void DecodeQ8_K(Bytes blocks, std::span<float> out) {
  ForEach<TensorType::kQ8_K>(blocks, out, [](auto b, auto y) HWY_ATTR {
    Scale<256>(b.template subspan<4, 256>(), Load<float>(b, ByteOrder::kLittle), y);
  });
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(Q2_K)
GGUFGATE_SIMD_KERNEL(Q3_K)
GGUFGATE_SIMD_KERNEL(Q4_K)
GGUFGATE_SIMD_KERNEL(Q5_K)
GGUFGATE_SIMD_KERNEL(Q6_K)
GGUFGATE_SIMD_KERNEL(Q8_K)

}  // namespace ggufgate::simd
#endif
