#include "bytes/checked.h"

#include <gtest/gtest.h>

#include "tests/support/parse_wide.h"

namespace ggufgate {
namespace {

using testing::kEdges;
using testing::kMost64;
using testing::Wide;

std::optional<std::uint64_t> Narrow(Wide value) {
  if (value > kMost64) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> AlignUpWide(std::uint64_t value, std::uint64_t alignment) {
  return Narrow((Wide{value} + alignment - 1) / alignment * alignment);
}

void ExpectLike128Bits(std::uint64_t a, std::uint64_t b) {
  ASSERT_EQ(CheckedAdd(a, b), Narrow(Wide{a} + b)) << a << " + " << b;
  ASSERT_EQ(CheckedMul(a, b), Narrow(Wide{a} * b)) << a << " * " << b;
  if (b != 0) {
    ASSERT_EQ(CheckedAlignUp(a, b), AlignUpWide(a, b)) << a << " to " << b;
  }
}

TEST(Checked, AddAnswersUpToTheLargestNumber) {
  EXPECT_EQ(CheckedAdd(UINT64_MAX - 1, 1), UINT64_MAX);
  EXPECT_EQ(CheckedAdd(UINT64_MAX, 1), std::nullopt);
}

TEST(Checked, MulAnswersUpToTheLargestNumber) {
  EXPECT_EQ(CheckedMul(0xFFFF'FFFF, 0x1'0000'0001), UINT64_MAX);
  EXPECT_EQ(CheckedMul(0x1'0000'0000, 0x1'0000'0000), std::nullopt);  // wraps to 0
}

TEST(Checked, AlignUpKeepsMultiplesAndRaisesTheRest) {
  EXPECT_EQ(CheckedAlignUp(0, 32), 0U);
  EXPECT_EQ(CheckedAlignUp(1, 32), 32U);
  EXPECT_EQ(CheckedAlignUp(32, 32), 32U);
  EXPECT_EQ(CheckedAlignUp(33, 1), 33U);
}

TEST(Checked, AlignUpTakesAlignmentsThatAreNoPowerOfTwo) {
  EXPECT_EQ(CheckedAlignUp(25, 24), 48U);
  EXPECT_EQ(CheckedAlignUp(48, 24), 48U);
}

TEST(Checked, AlignUpPastTheLargestNumberHasNoAnswer) {
  EXPECT_EQ(CheckedAlignUp(UINT64_MAX - 31, 32), UINT64_MAX - 31);
  EXPECT_EQ(CheckedAlignUp(UINT64_MAX - 30, 32), std::nullopt);
  EXPECT_EQ(CheckedAlignUp(1, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(CheckedAlignUp(UINT64_MAX, UINT64_MAX - 1), std::nullopt);
}

TEST(Checked, AgreesWith128BitsOnAllPairsOfEdges) {
  for (const std::uint64_t a : kEdges) {
    for (const std::uint64_t b : kEdges) ExpectLike128Bits(a, b);
  }
}

TEST(Checked, AgreesWith128BitsOnRandomPairs) {
  testing::Numbers numbers;
  for (int i = 0; i < 200'000; ++i) ExpectLike128Bits(numbers.Next(), numbers.Next());
}

}  // namespace
}  // namespace ggufgate
