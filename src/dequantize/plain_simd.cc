// Kernels of plain.cc. What is left behind the last whole register goes the scalar way.

#include "dequantize/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dequantize/plain_simd.cc"
#include "hwy/foreach_target.h"

#include "dequantize/vectors.inc"  // behind it

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

// LoadNumbers loads numbers that are aligned to nothing.
template <class D>
HWY_INLINE hn::Vec<D> LoadNumbers(D d, const std::uint8_t* bytes) {
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), bytes));
}

// Convert calls convert(df, bytes) for as many elements as a register has floats, and `rest` for
// those left.
template <typename T, typename Conversion>
HWY_INLINE void Convert(Bytes blocks, std::span<float> out, Conversion convert,
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

#if HWY_TARGET <= HWY_AVX2
// The conversion of F16C does what WidenF16 says.
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
  // Equal means infinite, more means NaN: signed comparison will do below 2^31.
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
    const hn::Rebind<double, decltype(df)> d64;
    return hn::DemoteTo(df, LoadNumbers(d64, bytes));
  };
  const hn::CappedTag<double, 8> d64;
  const hn::Rebind<float, decltype(d64)> df;
  const std::size_t lanes = hn::Lanes(d64);
  for (; out.size() >= lanes; out = out.subspan(lanes)) {
    const Bytes some = blocks.first(lanes * sizeof(double));
    hn::StoreU(convert(df, some.data()), df, out.first(lanes).data());
    blocks = blocks.subspan(some.size());
  }
  scalar::DecodeF64(blocks, out);
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

// Few processors convert a register of these at once, and the way by double rounds twice.
void DecodeI64(Bytes blocks, std::span<float> out) { scalar::DecodeI64(blocks, out); }

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
