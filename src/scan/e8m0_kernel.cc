// Counts MXFP4 blocks by vectors. A block has 17 bytes, so each vector has pieces of several
// blocks. Each test of bytes makes a string of bits, one per byte; each test of blocks is then
// arithmetic on that string. It is compiled once for each instruction set, like kernels.cc.

#include "scan/e8m0_counts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scan/e8m0_kernel.cc"  // NOLINT

#include <array>
#include <bit>
#include <cstring>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // must come after it

HWY_BEFORE_NAMESPACE();
namespace ggufgate::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

E8M0Counts CountE8M0(Bytes blocks) { return CountE8M0OneByOne(blocks); }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlockBytes = 17;
constexpr std::size_t kPeriodBlocks = 64;  // so that their bits fill whole words
constexpr std::size_t kPeriodBytes = kPeriodBlocks * kBlockBytes;
using Bits = std::array<std::uint64_t, kPeriodBytes / 64>;

// A bit for each byte that is a scale.
constexpr Bits kScales = [] {
  Bits bits{};
  for (std::size_t byte = 0; byte < kPeriodBytes; byte += kBlockBytes) {
    bits[byte / 64] |= std::uint64_t{1} << byte % 64;
  }
  return bits;
}();

// 0xFF for each byte that is a scale, else 0.
alignas(64) constexpr std::array<std::uint8_t, kPeriodBytes> kScaleBytes = [] {
  std::array<std::uint8_t, kPeriodBytes> bytes{};
  for (std::size_t byte = 0; byte < kPeriodBytes; byte += kBlockBytes) bytes[byte] = 0xFF;
  return bytes;
}();

// Period holds the results of the tests of its bytes, one bit per byte.
struct Period {
  Bits is_253, is_254, is_255;  // only scales
  Bits below_4, below_6;        // both codes
};

void Ask(const std::uint8_t* bytes, Period& period) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto fours = hn::Set(d, std::uint8_t{0x44});
  const auto keep = [&](auto mask, Bits& bits, std::size_t at) HWY_ATTR {
    GGUFGATE_AUDITED_BEGIN  // one bit for each of kPeriodBytes
        hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(bits.data()) + at / 8);
    GGUFGATE_AUDITED_END
  };
  for (std::size_t at = 0; at < kPeriodBytes; at += hn::Lanes(d)) {
    GGUFGATE_AUDITED_BEGIN  // a period consists of whole vectors
        const auto v = hn::LoadU(d, bytes + at);
    const auto scales = hn::And(v, hn::Load(d, kScaleBytes.data() + at));
    GGUFGATE_AUDITED_END
    const auto four = hn::And(v, fours);
    const auto six = hn::And(four, hn::Add(v, v));  // moves bit 1 to bit 2
    keep(hn::Eq(four, hn::Zero(d)), period.below_4, at);
    keep(hn::Eq(six, hn::Zero(d)), period.below_6, at);
    keep(hn::Eq(scales, hn::Set(d, std::uint8_t{253})), period.is_253, at);
    keep(hn::Eq(scales, hn::Set(d, std::uint8_t{254})), period.is_254, at);
    keep(hn::Eq(scales, hn::Set(d, std::uint8_t{255})), period.is_255, at);
  }
}

// Carry finds the blocks that begin with a bit of `starts` and have all bits of `good`. It adds a
// number with a 1 at each start. The 1 moves through the good bits as a carry, up to the position
// of the next scale.
class Carry {
 public:
  // Add takes the next word, in which scales are not good. It returns a 1 in each scale that a
  // carry reached.
  std::uint64_t Add(std::uint64_t starts, std::uint64_t good) {
    const std::uint64_t codes = good | starts;
    const std::uint64_t sum = codes + starts;
    const std::uint64_t with_carry = sum + carry_;
    carry_ = static_cast<std::uint64_t>(sum < codes) | static_cast<std::uint64_t>(with_carry < sum);
    return with_carry;
  }
  // out returns the carry out of the last block.
  [[nodiscard]] std::uint64_t out() const { return carry_; }

 private:
  std::uint64_t carry_ = 0;
};

std::uint64_t Ones(std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); }

void CountPeriod(const Period& period, E8M0Counts& counts) {
  Carry of_253;
  Carry of_254;
  std::uint64_t large = 0;
  std::uint64_t good = 0;
  for (std::size_t i = 0; i < kScales.size(); ++i) {
    const std::uint64_t scales = kScales[i];
    large += Ones(period.is_253[i] | period.is_254[i]);
    const std::uint64_t carried = of_253.Add(period.is_253[i], period.below_6[i] & ~scales) |
                                  of_254.Add(period.is_254[i], period.below_4[i] & ~scales);
    good += Ones(carried & scales);
    counts.nan += Ones(period.is_255[i]);
  }
  counts.overflows += large - (good + of_253.out() + of_254.out());
}

E8M0Counts CountE8M0(Bytes blocks) {
  E8M0Counts counts;
  Period period;
  while (blocks.size() >= kPeriodBytes) {
    Ask(blocks.data(), period);
    CountPeriod(period, counts);
    blocks = blocks.subspan(kPeriodBytes);
  }
  const E8M0Counts rest = CountE8M0OneByOne(blocks);
  return {.nan = counts.nan + rest.nan, .overflows = counts.overflows + rest.overflows};
}

#endif  // HWY_SCALAR

}  // namespace
}  // namespace ggufgate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate {
namespace {

GGUFGATE_KERNEL_TABLE(CountE8M0);

}  // namespace

E8M0Counts CountE8M0(Bytes blocks) {
  // The bits of the strings would have another order on big-endian machines.
  if constexpr (!internal::kHostIsLittle) return CountE8M0OneByOne(blocks);
  GGUFGATE_AUDITED_BEGIN  // the table of kernels
      return GGUFGATE_KERNEL(CountE8M0)(blocks);
  GGUFGATE_AUDITED_END
}

}  // namespace ggufgate
#endif
