#include "bytes/memory_source.h"

#include <gtest/gtest.h>

#include <vector>

namespace ggufgate {
namespace {

using Kind = ReadOutcome::Kind;

const std::vector<std::uint8_t> kFive = {10, 11, 12, 13, 14};

TEST(MemorySource, ServesAnyStretchOfItsBytes) {
  const MemorySource source(kFive);
  EXPECT_EQ(source.size(), 5U);
  for (std::size_t begin = 0; begin <= 5; ++begin) {
    for (std::size_t size = 0; begin + size <= 5; ++size) {
      std::vector<std::uint8_t> out(size);
      ASSERT_TRUE(source.ReadAt(begin, out).complete());
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(out.at(i), 10 + begin + i);
    }
  }
}

TEST(MemorySource, AskingPastTheEndIsShrunk) {
  const MemorySource source(kFive);
  std::vector<std::uint8_t> two(2);
  EXPECT_TRUE(source.ReadAt(3, two).complete());
  EXPECT_EQ(source.ReadAt(4, two).kind, Kind::kShrunk);
  EXPECT_EQ(source.ReadAt(6, two).kind, Kind::kShrunk);
  EXPECT_EQ(source.ReadAt(UINT64_MAX, two).kind, Kind::kShrunk) << "begin + size wraps to 1";
}

TEST(MemorySource, ReadingNothingBehindTheEndIsShrunkAndAtTheEndIsNot) {
  const MemorySource source(kFive);
  EXPECT_TRUE(source.ReadAt(5, {}).complete());
  EXPECT_EQ(source.ReadAt(6, {}).kind, Kind::kShrunk);
}

TEST(MemorySource, AnEmptySourceServesNothing) {
  const MemorySource source{Bytes{}};
  EXPECT_EQ(source.size(), 0U);
  EXPECT_TRUE(source.ReadAt(0, {}).complete());
  std::vector<std::uint8_t> one(1);
  EXPECT_EQ(source.ReadAt(0, one).kind, Kind::kShrunk);
}

TEST(ReadOutcome, OnlyCompleteIsComplete) {
  EXPECT_TRUE(ReadOutcome{}.complete());
  EXPECT_FALSE(ReadOutcome{.kind = Kind::kShrunk}.complete());
  EXPECT_FALSE(ReadOutcome{.kind = Kind::kFailed}.complete());
}

}  // namespace
}  // namespace ggufgate
