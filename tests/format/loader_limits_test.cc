#include "format/loader_limits.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(LoaderLimits, AreThoseOfTheirSources) {
  EXPECT_EQ(kLongestNameOfLlamaCpp, 63U);
  EXPECT_EQ(kLongestSpecifiedName, 64U);
  EXPECT_EQ(kMaximumSize, 9'223'372'036'854'775'807U);
  EXPECT_EQ(kMaximumTotal, 9'223'372'032'559'808'511U);
  EXPECT_EQ(kMostLayers, 512U);
  EXPECT_EQ(kMostExperts, 1'024U);
  EXPECT_EQ(kLongestImageEdge, 16'384U);
  EXPECT_EQ(kMostImagePixels, kLongestImageEdge * kLongestImageEdge);
  EXPECT_EQ(kMostShards, 65'535U);
  EXPECT_EQ(kDefaultContext, 512U);
  EXPECT_EQ(kDefaultBatch, 512U);
}

}  // namespace
}  // namespace ggufgate
