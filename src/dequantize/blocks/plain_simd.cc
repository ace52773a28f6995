// Kernels of plain.cc. Scalar code converts the rest after the last whole register.

#include "dequantize/blocks/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/blocks/plain_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/blocks/vectors.inc"  // after highway.h
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace ggufgate::simd::HWY_NAMESPACE {
#if GGUFGATE_NO_VECTORS
using scalar::DecodeBF16;
using scalar::DecodeF16;
using scalar::DecodeF32;
using scalar::DecodeF64;
using scalar::DecodeI16;
using scalar::DecodeI32;
using scalar::DecodeI64;
using scalar::DecodeI8;
#else
namespace {

// LoadNumbers loads unaligned numbers.
template <class D>
HWY_INLINE hn::Vec<D> LoadNumbers(D d, const std::uint8_t* bytes) {
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), bytes));
}

// From this size on, the output does not fit into the caches.
constexpr std::size_t kStreamedBytes = std::size_t{32} << 20;

// ConvertCached calls convert(df, bytes) for as many elements as a register has floats, and `rest`
// for the remaining ones.
template <typename T, typename Conversion>
HWY_INLINE void ConvertCached(Bytes blocks, std::span<float> out, Conversion convert,
                              void (*rest)(Bytes, std::span<float>)) {
  const hn::CappedTag<float, 16> df;
  const std::size_t lanes = hn::Lanes(df);
  while (out.size() >= lanes) {
    hn::StoreU(convert(df, blocks.first(lanes * sizeof(T)).data()), df, out.first(lanes).data());
    blocks = blocks.subspan(lanes * sizeof(T));
    out = out.subspan(lanes);
  }
  rest(blocks, out);
}

// ConvertStreamed does the same without the caches, four lines of 16 floats at a time. An ordinary
// store first reads the line that it overwrites, so a plain copy moves three bytes for every two.
// The code prefetches input lines 8 KiB ahead, because the processor's prefetcher stays within a
// page.
template <typename T, typename Conversion>
HWY_INLINE void ConvertStreamed(Bytes blocks, std::span<float> out, Conversion convert,
                                void (*rest)(Bytes, std::span<float>)) {
  constexpr std::size_t kLine = 16;
  constexpr std::size_t kLines = 4 * kLine;
  constexpr std::size_t kAhead = 8192 / sizeof(T);
  const hn::CappedTag<float, kLine> df;
  const std::size_t in_line = reinterpret_cast<std::uintptr_t>(out.data()) / sizeof(float) % kLine;
  const std::size_t before = (kLine - in_line) % kLine;
  rest(blocks.first(before * sizeof(T)), out.first(before));
  blocks = blocks.subspan(before * sizeof(T));
  out = out.subspan(before);
  while (out.size() >= kAhead + kLines) {
    const auto later = blocks.subspan(kAhead * sizeof(T)).first<kLines * sizeof(T)>();
    const auto now = blocks.first<kLines * sizeof(T)>();
    const auto y = out.first<kLines>();
    for (std::size_t i = 0; i < later.size(); i += 64) hwy::Prefetch(later.subspan(i).data());
    for (std::size_t i = 0; i < kLines; i += hn::Lanes(df)) {
      hn::Stream(convert(df, now.subspan(i * sizeof(T)).data()), df, y.subspan(i).data());
    }
    blocks = blocks.subspan(now.size());
    out = out.subspan(y.size());
  }
  hwy::FlushStream();
  ConvertCached<T>(blocks, out, convert, rest);
}

// Convert streams if the input is at least as large as the output. Smaller inputs are nearly as
// fast as a fill without it. Memory that the system has just cleared is in the caches, where
// streaming stores are a seventh slower.
template <typename T, typename Conversion>
HWY_INLINE void Convert(Bytes blocks, std::span<float> out, Conversion convert,
                        void (*rest)(Bytes, std::span<float>)) {
  if (sizeof(T) >= sizeof(float) && out.size_bytes() >= kStreamedBytes) {
    return ConvertStreamed<T>(blocks, out, convert, rest);
  }
  ConvertCached<T>(blocks, out, convert, rest);
}

// Demoted makes one register of floats from two of doubles; part(d64, bytes) returns one of those.
template <class DF, typename Part>
HWY_INLINE hn::Vec<DF> Demoted(DF df, const std::uint8_t* bytes, Part part) {
  const hn::Half<DF> half;
  const hn::Rebind<double, decltype(half)> d64;
  const auto numbers = std::span(bytes, 2 * hn::Lanes(d64) * sizeof(double));
  const auto low = hn::DemoteTo(half, part(d64, numbers.data()));
  const auto high = hn::DemoteTo(half, part(d64, numbers.subspan(numbers.size() / 2).data()));
  return hn::Combine(df, high, low);
}

// Rounded64 converts integers to doubles so that rounding them to floats rounds only once. Integers
// below 2^53 are exact doubles. For others, the low eleven bits only show whether the rest is
// exact, so bit 11 replaces them. The midpoints between floats are multiples of 2^29 there.
template <class D>
HWY_INLINE hn::Vec<D> Rounded64(D d64, hn::Vec<hn::Rebind<std::int64_t, D>> v) {
  const hn::Rebind<std::int64_t, D> d;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const auto low = hn::Set(d, 0x7FF);
  const auto sticky = hn::Or(v, hn::Add(hn::And(v, low), low));
  const auto large = hn::Or(hn::Gt(v, hn::Set(d, kExact)), hn::Gt(hn::Set(d, -kExact), v));
  return hn::ConvertTo(d64, hn::IfThenElse(large, hn::AndNot(low, sticky), v));
}

#if HWY_TARGET <= HWY_AVX2
// The conversion of F16C equals WidenF16.
template <class DF>
HWY_INLINE hn::Vec<DF> Widen(DF df, const std::uint8_t* bytes) {
  const hn::Rebind<std::uint16_t, DF> d16;
  const hn::Rebind<hwy::float16_t, DF> half;
  return hn::PromoteTo(df, hn::BitCast(half, LoadNumbers(d16, bytes)));
}
#else
// WidenF16, in every lane.
template <class DF>
HWY_INLINE hn::Vec<DF> Widen(DF df, const std::uint8_t* bytes) {
  const hn::Rebind<std::uint16_t, DF> d16;
  const hn::Rebind<std::uint32_t, DF> d;
  const auto half = hn::PromoteTo(d, LoadNumbers(d16, bytes));
  const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(d, 0x8000)));
  const auto magnitude = hn::ShiftLeft<13>(hn::And(half, hn::Set(d, 0x7FFF)));
  const auto exponent = hn::And(magnitude, hn::Set(d, 0x0F80'0000));
  const auto rebias = hn::Set(d, 112U << 23);

  const auto shifted = hn::BitCast(df, hn::Add(magnitude, hn::Set(d, 113U << 23)));
  const auto subnormal = hn::BitCast(d, hn::Sub(shifted, hn::Set(df, 0x1p-14F)));
  const auto special = hn::Eq(exponent, hn::Set(d, 0x0F80'0000));
  // Equal means infinite, greater means NaN. Below 2^31, a signed comparison is enough.
  const hn::Rebind<std::int32_t, DF> ds;
  const auto nan = hn::RebindMask(d, hn::Gt(hn::BitCast(ds, magnitude), hn::Set(ds, 0x0F80'0000)));
  const auto wide = hn::Add(hn::Add(magnitude, rebias), hn::IfThenElseZero(special, rebias));
  const auto normal = hn::Or(wide, hn::IfThenElseZero(nan, hn::Set(d, 0x0040'0000)));
  const auto zero = hn::Eq(exponent, hn::Zero(d));
  return hn::BitCast(df, hn::Or(sign, hn::IfThenElse(zero, subnormal, normal)));
}
#endif

}  // namespace

void DecodeF32(Bytes blocks, std::span<float> out) {
  static_assert(internal::kHostIsLittle);
  const auto as_it_is = [](auto df, const std::uint8_t* bytes)
                            HWY_ATTR { return LoadNumbers(df, bytes); };
  if (out.size_bytes() >= kStreamedBytes) {
    return ConvertStreamed<float>(blocks, out, as_it_is, &scalar::DecodeF32);
  }
  if (!out.empty()) std::memcpy(out.data(), blocks.data(), out.size_bytes());
}

void DecodeF16(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR { return Widen(df, bytes); };
  Convert<std::uint16_t>(blocks, out, convert, &scalar::DecodeF16);
}

void DecodeBF16(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR {
    const hn::Rebind<std::uint16_t, decltype(df)> d16;
    const hn::Rebind<std::uint32_t, decltype(df)> d;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteTo(d, LoadNumbers(d16, bytes))));
  };
  Convert<std::uint16_t>(blocks, out, convert, &scalar::DecodeBF16);
}

void DecodeF64(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR {
    return Demoted(df, bytes, [](auto d64, const std::uint8_t* half) HWY_ATTR {
      return LoadNumbers(d64, half);
    });
  };
  Convert<double>(blocks, out, convert, &scalar::DecodeF64);
}

void DecodeI8(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes)
                           HWY_ATTR { return AsFloats(df, bytes); };
  Convert<std::int8_t>(blocks, out, convert, &scalar::DecodeI8);
}

void DecodeI16(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR {
    const hn::Rebind<std::int16_t, decltype(df)> d16;
    const hn::Rebind<std::int32_t, decltype(df)> d32;
    return hn::ConvertTo(df, hn::PromoteTo(d32, LoadNumbers(d16, bytes)));
  };
  Convert<std::int16_t>(blocks, out, convert, &scalar::DecodeI16);
}

void DecodeI32(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR {
    const hn::Rebind<std::int32_t, decltype(df)> d32;
    return hn::ConvertTo(df, LoadNumbers(d32, bytes));
  };
  Convert<std::int32_t>(blocks, out, convert, &scalar::DecodeI32);
}

void DecodeI64(Bytes blocks, std::span<float> out) {
  const auto convert = [](auto df, const std::uint8_t* bytes) HWY_ATTR {
    return Demoted(df, bytes, [](auto d64, const std::uint8_t* half) HWY_ATTR {
      const hn::Rebind<std::int64_t, decltype(d64)> d;
      return Rounded64(d64, LoadNumbers(d, half));
    });
  };
  Convert<std::int64_t>(blocks, out, convert, &scalar::DecodeI64);
}

#endif
}  // namespace ggufgate::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate::simd {

GGUFGATE_SIMD_KERNEL(BF16)
GGUFGATE_SIMD_KERNEL(F16)
GGUFGATE_SIMD_KERNEL(F32)
GGUFGATE_SIMD_KERNEL(F64)
GGUFGATE_SIMD_KERNEL(I16)
GGUFGATE_SIMD_KERNEL(I32)
GGUFGATE_SIMD_KERNEL(I64)
GGUFGATE_SIMD_KERNEL(I8)

}  // namespace ggufgate::simd
#endif
