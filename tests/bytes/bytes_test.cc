#include "bytes/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace ggufgate {
namespace {

TEST(OffsetIn, IsWhereAPartBegins) {
  constexpr std::array<std::uint8_t, 8> kBytes{};
  const Bytes all(kBytes);
  const Bytes middle = all.subspan(2, 4);
  EXPECT_EQ(OffsetIn(all, all), 0U);
  EXPECT_EQ(OffsetIn(all, middle), 2U);
  EXPECT_EQ(OffsetIn(all, all.last(1)), 7U);
  EXPECT_EQ(OffsetIn(all, all.last(0)), 8U) << "where it ends";
  EXPECT_EQ(OffsetIn(middle, middle.subspan(3)), 3U);
}

TEST(OffsetIn, IsNoneOfTheBytesForOthers) {
  constexpr std::array<std::uint8_t, 8> kBytes{};
  const Bytes middle = Bytes(kBytes).subspan(2, 4);
  EXPECT_GE(OffsetIn(middle, Bytes(kBytes)), middle.size()) << "in front";
  EXPECT_GE(OffsetIn(middle, Bytes(kBytes).last(2)), middle.size()) << "behind";
  EXPECT_GE(OffsetIn(middle, {}), middle.size()) << "nowhere";
}

}  // namespace
}  // namespace ggufgate
