// The vector passes. Compiled once for each instruction set that Highway knows of for this
// architecture; the best that the machine has is chosen when the program runs.

#include "scan/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scan/kernels.cc"
#include "bytes/audited.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
GGUFGATE_AUDITED_BEGIN  // loads stay below `size` and the pattern's; both are multiples of a vector
namespace ggufgate::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Byte = hn::CappedTag<std::uint8_t, kKernelBytes>;
using Signed = hn::RebindToSigned<Byte>;
using Pair = hn::Repartition<std::uint16_t, Byte>;
using ByteVector = hn::Vec<Byte>;

// Sweep gives `step` every vector of the bytes with the place in the pattern that it falls on.
template <typename Step>
HWY_INLINE void Sweep(const std::uint8_t* bytes, std::size_t size, std::size_t period, Step step) {
  const Byte d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t begin = 0; begin < size; begin += period) {
    const std::size_t length = HWY_MIN(period, size - begin);
    const std::uint8_t* const at = bytes + begin;
    std::size_t i = 0;
    for (; i + 4 * lanes <= length; i += 4 * lanes) {
      step(hn::LoadU(d, at + i), i);
      step(hn::LoadU(d, at + i + lanes), i + lanes);
      step(hn::LoadU(d, at + i + 2 * lanes), i + 2 * lanes);
      step(hn::LoadU(d, at + i + 3 * lanes), i + 3 * lanes);
    }
    for (; i < length; i += lanes) step(hn::LoadU(d, at + i), i);
  }
}

// Reaches is true when a lane is `threshold` or more.
template <class D>
HWY_INLINE bool Reaches(D d, hn::Vec<D> most, hn::TFromD<D> threshold) {
  return !hn::AllFalse(d, hn::Eq(hn::Max(most, hn::Set(d, threshold)), most));
}

bool AnyByteReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                    std::size_t period, std::uint8_t threshold) {
  const Byte d;
  ByteVector most = hn::Zero(d);
  Sweep(bytes, size, period, [&](ByteVector v, std::size_t i) HWY_ATTR {
    most = hn::Max(most, hn::And(v, hn::LoadU(d, pattern + i)));
  });
  return Reaches(d, most, threshold);
}

bool AnyByteReachesOrCode(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                          std::size_t period, std::uint8_t threshold, const std::uint8_t* codes) {
  const Byte d;
  const Signed ds;
  ByteVector most = hn::Zero(d);
  auto least = hn::Zero(ds);
  Sweep(bytes, size, period, [&](ByteVector v, std::size_t i) HWY_ATTR {
    most = hn::Max(most, hn::And(v, hn::LoadU(d, pattern + i)));
    least = hn::Min(least, hn::BitCast(ds, hn::And(v, hn::LoadU(d, codes + i))));
  });
  return Reaches(d, most, threshold) ||
         !hn::AllFalse(ds, hn::Eq(least, hn::Set(ds, std::int8_t{-128})));
}

bool AnyPairReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                    std::size_t period, std::uint16_t threshold) {
  const Byte d;
  const Pair dp;
  auto most = hn::Zero(dp);
  Sweep(bytes, size, period, [&](ByteVector v, std::size_t i) HWY_ATTR {
    most = hn::Max(most, hn::BitCast(dp, hn::And(v, hn::LoadU(d, pattern + i))));
  });
  return Reaches(dp, most, threshold);
}

// A bit that comes over from the next byte lands in bit 7, which no pattern has.
bool AnyDoubleBit(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                  std::size_t period) {
  const Byte d;
  const Pair dp;
  ByteVector any = hn::Zero(d);
  Sweep(bytes, size, period, [&](ByteVector v, std::size_t i) HWY_ATTR {
    const ByteVector shifted = hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(dp, v)));
    any = hn::Or(any, hn::And(hn::And(v, shifted), hn::LoadU(d, pattern + i)));
  });
  return Reaches(d, any, std::uint8_t{1});
}

}  // namespace
}  // namespace ggufgate::HWY_NAMESPACE
GGUFGATE_AUDITED_END
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GGUFGATE_AUDITED_BEGIN  // Highway's tables of functions
namespace ggufgate {
namespace {

HWY_EXPORT(AnyByteReaches);
HWY_EXPORT(AnyByteReachesOrCode);
HWY_EXPORT(AnyPairReaches);
HWY_EXPORT(AnyDoubleBit);

}  // namespace

bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold) {
  return HWY_DYNAMIC_DISPATCH(AnyByteReaches)(bytes.data(), bytes.size(), pattern.data(),
                                              pattern.size(), threshold);
}

bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold, Bytes codes) {
  return HWY_DYNAMIC_DISPATCH(AnyByteReachesOrCode)(bytes.data(), bytes.size(), pattern.data(),
                                                    pattern.size(), threshold, codes.data());
}

bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold) {
  return HWY_DYNAMIC_DISPATCH(AnyPairReaches)(bytes.data(), bytes.size(), pattern.data(),
                                              pattern.size(), threshold);
}

bool AnyDoubleBit(Bytes bytes, Bytes pattern) {
  return HWY_DYNAMIC_DISPATCH(AnyDoubleBit)(bytes.data(), bytes.size(), pattern.data(),
                                            pattern.size());
}

}  // namespace ggufgate
GGUFGATE_AUDITED_END
#endif
