#include "bytes/byte_range.h"

#include <gtest/gtest.h>

#include "tests/support/parse_wide.h"

namespace ggufgate {
namespace {

using testing::kEdges;
using testing::Wide;

bool FitsInWide(ByteRange range, std::uint64_t limit) {
  return Wide{range.begin} + range.size <= limit;
}

TEST(ByteRange, FitsUpToTheLastByteAndNoFurther) {
  EXPECT_TRUE((ByteRange{.begin = 90, .size = 10}.FitsIn(100)));
  EXPECT_FALSE((ByteRange{.begin = 90, .size = 11}.FitsIn(100)));
  EXPECT_FALSE((ByteRange{.begin = 91, .size = 10}.FitsIn(100)));
}

TEST(ByteRange, AnEmptyRangeFitsAtTheEndButNotBehindIt) {
  EXPECT_TRUE((ByteRange{.begin = 100, .size = 0}.FitsIn(100)));
  EXPECT_FALSE((ByteRange{.begin = 101, .size = 0}.FitsIn(100)));
  EXPECT_TRUE(ByteRange{}.FitsIn(0));
}

TEST(ByteRange, ASumThatWrapsToSomethingSmallDoesNotFit) {
  EXPECT_FALSE((ByteRange{.begin = UINT64_MAX, .size = 2}.FitsIn(100)));
  EXPECT_FALSE((ByteRange{.begin = 2, .size = UINT64_MAX}.FitsIn(100)));
  EXPECT_FALSE((ByteRange{.begin = UINT64_MAX, .size = UINT64_MAX}.FitsIn(UINT64_MAX)));
  EXPECT_FALSE((ByteRange{.begin = 1, .size = UINT64_MAX}.FitsIn(UINT64_MAX)));
  EXPECT_TRUE((ByteRange{.begin = 1, .size = UINT64_MAX - 1}.FitsIn(UINT64_MAX)));
}

TEST(ByteRange, FitsInAgreesWith128BitsOnAllTriplesOfEdges) {
  for (const std::uint64_t begin : kEdges) {
    for (const std::uint64_t size : kEdges) {
      for (const std::uint64_t limit : kEdges) {
        const ByteRange range{.begin = begin, .size = size};
        ASSERT_EQ(range.FitsIn(limit), FitsInWide(range, limit))
            << begin << " + " << size << " in " << limit;
      }
    }
  }
}

TEST(ByteRange, FitsInAgreesWith128BitsOnRandomPairs) {
  testing::Numbers numbers;
  int fits = 0;
  for (int i = 0; i < 200'000; ++i) {
    const ByteRange range{.begin = numbers.Next(), .size = numbers.Next()};
    const std::uint64_t limit = numbers.Next();
    ASSERT_EQ(range.FitsIn(limit), FitsInWide(range, limit))
        << range.begin << " + " << range.size << " in " << limit;
    fits += range.FitsIn(limit) ? 1 : 0;
  }
  EXPECT_GT(fits, 20'000);
  EXPECT_LT(fits, 180'000);
}

TEST(ByteRange, BetweenAndEndAreInverse) {
  const ByteRange range = ByteRange::Between(24, 64);
  EXPECT_EQ(range, (ByteRange{.begin = 24, .size = 40}));
  EXPECT_EQ(range.End(), 64U);
  EXPECT_EQ(ByteRange::Between(7, 7).size, 0U);
}

TEST(ByteRange, RangesAreEqualOnlyWhenBothNumbersAre) {
  EXPECT_NE((ByteRange{.begin = 1, .size = 2}), (ByteRange{.begin = 1, .size = 3}));
  EXPECT_NE((ByteRange{.begin = 1, .size = 2}), (ByteRange{.begin = 2, .size = 2}));
}

}  // namespace
}  // namespace ggufgate
