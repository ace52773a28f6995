// The caller's floating-point mode has no effect, and is not changed.

#include "dequantize/float_mode.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <vector>

#include "dequantize/dequantize.h"
#include "tests/support/dequantized.h"

namespace ggufgate {
namespace {

using testing::AllGolden;
using testing::EdgeBlocks;
using testing::Golden;
using testing::RandomBlocks;
using testing::SameAsGolden;
using testing::SameFloats;

std::vector<float> DecodedInThisMode(const TensorTypeInfo& info, Bytes blocks) {
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(info.type, blocks, out), Dequantized::kDone);
  return out;
}

#if defined(__SSE2__)

// Mode sets MXCSR for its lifetime.
class Mode {
 public:
  explicit Mode(unsigned bits) : before_(_mm_getcsr()) { _mm_setcsr(bits); }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;
  ~Mode() { _mm_setcsr(before_); }

 private:
  unsigned before_;
};

constexpr unsigned kMasked = 0x1F80;
constexpr unsigned kFlush = kMasked | 0x8040;  // flush to zero, and denormals are zero
constexpr unsigned kUpwards = kMasked | 0x4000;
constexpr unsigned kTrapInvalid = kMasked & ~0x0080U;

TEST(FloatMode, GoldenDataDecodeTheSameUnderFlushToZero) {
  for (const Golden& golden : AllGolden()) {
    const Mode mode(kFlush);
    const std::vector<float> out = DecodedInThisMode(*golden.type, golden.blocks);
    EXPECT_EQ(_mm_getcsr(), kFlush);
    EXPECT_TRUE(SameAsGolden(out, golden)) << golden.type->name;
  }
}

TEST(FloatMode, EveryTypeDecodesTheSameInEveryMode) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    auto blocks = EdgeBlocks(info);
    const auto random = RandomBlocks(info, 40, 4);
    blocks.insert(blocks.end(), random.begin(), random.end());
    const std::vector<float> expected = DecodedInThisMode(info, blocks);
    for (const unsigned bits : {kFlush, kUpwards, kTrapInvalid}) {
      std::vector<float> out;
      {
        const Mode mode(bits);
        out = DecodedInThisMode(info, blocks);
        EXPECT_EQ(_mm_getcsr(), bits) << info.name;
      }
      EXPECT_TRUE(SameFloats(out, expected)) << info.name << " in mode " << bits;
    }
  }
}

// Proves that the tests above are effective: in that mode subnormals are lost.
TEST(FloatMode, FlushToZeroLosesSubnormals) {
  const Mode mode(kFlush);
  volatile float subnormal = 0x1p-130F;
  volatile float one = 1.0F;
  const float product = subnormal * one;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(product), 0U);
}

#endif

TEST(FloatMode, RestoresTheRounding) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  {
    const FloatMode mode;
#if defined(__SSE2__)
    EXPECT_EQ(_mm_getcsr() & 0x6000U, 0U);
#else
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
#endif
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

}  // namespace
}  // namespace ggufgate
