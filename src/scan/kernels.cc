// The vector passes. They are compiled once for each instruction set that Highway supports for this
// architecture. At run time, the best set of the machine is chosen.

#include "scan/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scan/kernels.cc"  // NOLINT

#include <cstring>

#include "bytes/bytes.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // must come after it

HWY_BEFORE_NAMESPACE();
// clang-format off
GGUFGATE_AUDITED_BEGIN  // loads stay below `size` and the pattern's; both are multiples of a vector
                        // clang-format on
    namespace ggufgate::HWY_NAMESPACE {
  namespace {

#if HWY_TARGET == HWY_SCALAR
  // With some compilers, the baseline has vectors of one lane, which cannot be reinterpreted as
  // lanes of another size. Then this checks byte by byte.

  bool AnyByteReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                      std::size_t period, std::uint8_t threshold) {
    bool any = false;
    for (std::size_t i = 0; i < size; ++i) any |= (bytes[i] & pattern[i % period]) >= threshold;
    return any;
  }

  bool AnyByteReachesOrCode(const std::uint8_t* bytes, std::size_t size,
                            const std::uint8_t* pattern, std::size_t period, std::uint8_t threshold,
                            const std::uint8_t* codes) {
    bool any = AnyByteReaches(bytes, size, pattern, period, threshold);
    for (std::size_t i = 0; i < size; ++i) any |= (bytes[i] & codes[i % period]) == 0x80;
    return any;
  }

  bool AnyPairReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                      std::size_t period, std::uint16_t threshold) {
    bool any = false;
    for (std::size_t i = 0; i < size; i += 2) {
      std::uint16_t pair = 0;
      std::uint16_t mask = 0;
      std::memcpy(&pair, bytes + i, sizeof(pair));
      std::memcpy(&mask, pattern + i % period, sizeof(mask));
      any |= (pair & mask) >= threshold;
    }
    return any;
  }

  bool AnyDoubleBitOrByte(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* doubles,
                          std::size_t period, const std::uint8_t* pattern, std::uint8_t threshold) {
    bool any = AnyByteReaches(bytes, size, pattern, period, threshold);
    for (std::size_t i = 0; i < size; ++i) {
      any |= (bytes[i] & bytes[i] >> 1 & doubles[i % period]) != 0;
    }
    return any;
  }

#else

  namespace hn = hwy::HWY_NAMESPACE;

  using Byte = hn::CappedTag<std::uint8_t, kKernelBytes>;
  using Signed = hn::RebindToSigned<Byte>;
  using Pair = hn::Repartition<std::uint16_t, Byte>;
  using ByteVector = hn::Vec<Byte>;

  // Sweep passes the bytes to `step` four vectors at a time. All four have the same position in the
  // pattern, so one load of the pattern serves all four.
  template <typename Step>
  HWY_INLINE void Sweep(const std::uint8_t* bytes, std::size_t size, std::size_t period,
                        Step step) {
    const Byte d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t begin = 0;
    for (; size - begin >= 4 * period; begin += 4 * period) {
      const std::uint8_t* const at = bytes + begin;
      for (std::size_t i = 0; i < period; i += lanes) {
        step(i, hn::LoadU(d, at + i), hn::LoadU(d, at + period + i),
             hn::LoadU(d, at + 2 * period + i), hn::LoadU(d, at + 3 * period + i));
      }
    }
    for (; begin < size; begin += period) {  // the rest: the same vector for all four
      const std::size_t length = HWY_MIN(period, size - begin);
      for (std::size_t i = 0; i < length; i += lanes) {
        const ByteVector v = hn::LoadU(d, bytes + begin + i);
        step(i, v, v, v, v);
      }
    }
  }

  // SweepInTurn passes one vector after the other, in order. This is best if little is loaded from
  // patterns.
  template <typename Step>
  HWY_INLINE void SweepInTurn(const std::uint8_t* bytes, std::size_t size, std::size_t period,
                              Step step) {
    const Byte d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t begin = 0; begin < size; begin += period) {
      const std::size_t length = HWY_MIN(period, size - begin);
      const std::uint8_t* const at = bytes + begin;
      std::size_t i = 0;
      for (; i + 2 * lanes <= length; i += 2 * lanes) {
        step(i, hn::LoadU(d, at + i));
        step(i + lanes, hn::LoadU(d, at + i + lanes));
      }
      for (; i < length; i += lanes) step(i, hn::LoadU(d, at + i));
    }
  }

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V MaxOf(D /*d*/, V a, V b, V c, V e) {
    return hn::Max(hn::Max(a, b), hn::Max(c, e));
  }

  // Reaches tells whether a lane is `threshold` or more.
  template <class D>
  HWY_INLINE bool Reaches(D d, hn::Vec<D> most, hn::TFromD<D> threshold) {
    return !hn::AllFalse(d, hn::Eq(hn::Max(most, hn::Set(d, threshold)), most));
  }

  bool AnyByteReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                      std::size_t period, std::uint8_t threshold) {
    const Byte d;
    ByteVector most = hn::Zero(d);
    SweepInTurn(bytes, size, period, [&](std::size_t i, ByteVector v) HWY_ATTR {
      most = hn::Max(most, hn::And(v, hn::LoadU(d, pattern + i)));
    });
    return Reaches(d, most, threshold);
  }

  bool AnyByteReachesOrCode(const std::uint8_t* bytes, std::size_t size,
                            const std::uint8_t* pattern, std::size_t period, std::uint8_t threshold,
                            const std::uint8_t* codes) {
    const Byte d;
    const Signed ds;
    ByteVector most = hn::Zero(d);
    auto least = hn::Zero(ds);
    const auto least_of = [&](ByteVector a, ByteVector b) HWY_ATTR {
      return hn::BitCast(d, hn::Min(hn::BitCast(ds, a), hn::BitCast(ds, b)));
    };
    Sweep(bytes, size, period,
          [&](std::size_t i, ByteVector a, ByteVector b, ByteVector c, ByteVector e) HWY_ATTR {
            const ByteVector mask = hn::LoadU(d, pattern + i);
            most = hn::Max(most, MaxOf(d, hn::And(a, mask), hn::And(b, mask), hn::And(c, mask),
                                       hn::And(e, mask)));
            const ByteVector lowest = least_of(least_of(a, b), least_of(c, e));
            const ByteVector counted = hn::And(lowest, hn::LoadU(d, codes + i));
            least = hn::Min(least, hn::BitCast(ds, counted));
          });
    return Reaches(d, most, threshold) ||
           !hn::AllFalse(ds, hn::Eq(least, hn::Set(ds, std::int8_t{-128})));
  }

  bool AnyPairReaches(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* pattern,
                      std::size_t period, std::uint16_t threshold) {
    const Byte d;
    const Pair dp;
    auto most = hn::Zero(dp);
    SweepInTurn(bytes, size, period, [&](std::size_t i, ByteVector v) HWY_ATTR {
      most = hn::Max(most, hn::BitCast(dp, hn::And(v, hn::LoadU(d, pattern + i))));
    });
    return Reaches(dp, most, threshold);
  }

  // A bit that is shifted in from the next byte lands in bit 7, which no pattern has.
  bool AnyDoubleBitOrByte(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* doubles,
                          std::size_t period, const std::uint8_t* pattern, std::uint8_t threshold) {
    const Byte d;
    const Pair dp;
    ByteVector any = hn::Zero(d);
    ByteVector most = hn::Zero(d);
    const auto doubled = [&](ByteVector v) HWY_ATTR {
      return hn::And(v, hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(dp, v))));
    };
    Sweep(bytes, size, period,
          [&](std::size_t i, ByteVector a, ByteVector b, ByteVector c, ByteVector e) HWY_ATTR {
            const ByteVector all =
                hn::Or(hn::Or(doubled(a), doubled(b)), hn::Or(doubled(c), doubled(e)));
            any = hn::Or(any, hn::And(all, hn::LoadU(d, doubles + i)));
            const ByteVector mask = hn::LoadU(d, pattern + i);
            most = hn::Max(most, MaxOf(d, hn::And(a, mask), hn::And(b, mask), hn::And(c, mask),
                                       hn::And(e, mask)));
          });
    return Reaches(d, any, std::uint8_t{1}) || Reaches(d, most, threshold);
  }

#endif  // HWY_SCALAR

  }  // namespace
}  // namespace ggufgate::HWY_NAMESPACE
GGUFGATE_AUDITED_END
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GGUFGATE_AUDITED_BEGIN  // the tables of kernels
    namespace ggufgate {
  namespace {

  GGUFGATE_KERNEL_TABLE(AnyByteReaches);
  GGUFGATE_KERNEL_TABLE(AnyByteReachesOrCode);
  GGUFGATE_KERNEL_TABLE(AnyPairReaches);
  GGUFGATE_KERNEL_TABLE(AnyDoubleBitOrByte);

  }  // namespace

  bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold) {
    return GGUFGATE_KERNEL(AnyByteReaches)(bytes.data(), bytes.size(), pattern.data(),
                                           pattern.size(), threshold);
  }

  bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold, Bytes codes) {
    return GGUFGATE_KERNEL(AnyByteReachesOrCode)(bytes.data(), bytes.size(), pattern.data(),
                                                 pattern.size(), threshold, codes.data());
  }

  bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold) {
    return GGUFGATE_KERNEL(AnyPairReaches)(bytes.data(), bytes.size(), pattern.data(),
                                           pattern.size(), threshold);
  }

  bool AnyDoubleBitOrByte(Bytes bytes, Bytes doubles, Bytes pattern, std::uint8_t threshold) {
    return GGUFGATE_KERNEL(AnyDoubleBitOrByte)(bytes.data(), bytes.size(), doubles.data(),
                                               doubles.size(), pattern.data(), threshold);
  }

}  // namespace ggufgate
GGUFGATE_AUDITED_END
#endif
