#include "dequantize/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Statistics, OfNothing) {
  Statistics none;
  none.Add({});
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.min(), 0);
  EXPECT_EQ(none.max(), 0);
  EXPECT_EQ(none.mean(), 0);
  EXPECT_EQ(none.StandardDeviation(), 0);
}

TEST(Statistics, OfAFew) {
  const std::vector<float> values = {1, -2, 0, -0.0F, 5, kNan, kInfinity, -kInfinity, 8};
  Statistics few;
  few.Add(values);
  EXPECT_EQ(few.count(), 9U);
  EXPECT_EQ(few.finite(), 6U);
  EXPECT_EQ(few.nan(), 1U);
  EXPECT_EQ(few.infinite(), 2U);
  EXPECT_EQ(few.zeros(), 2U);
  EXPECT_EQ(few.min(), -2);
  EXPECT_EQ(few.max(), 8);
  EXPECT_DOUBLE_EQ(few.mean(), 2);
  // 1 + 16 + 4 + 4 + 9 + 36
  EXPECT_DOUBLE_EQ(few.StandardDeviation(), std::sqrt(70.0 / 6));
}

TEST(Statistics, WithoutAnyFiniteValue) {
  Statistics wild;
  wild.Add(std::vector<float>{kNan, -kInfinity});
  EXPECT_EQ(wild.count(), 2U);
  EXPECT_EQ(wild.finite(), 0U);
  EXPECT_EQ(wild.min(), 0);
  Statistics tame;
  tame.Add(std::vector<float>{-3});
  tame.Merge(wild);
  wild.Merge(tame);
  EXPECT_EQ(wild.min(), -3);
  EXPECT_EQ(wild.max(), -3);
  EXPECT_EQ(wild.nan(), 2U);
}

TEST(Statistics, LargestValuesOverflowNothing) {
  const float most = std::numeric_limits<float>::max();
  Statistics large;
  large.Add(std::vector<float>(1000, most));
  large.Add(std::vector<float>(1000, -most));
  EXPECT_EQ(large.mean(), 0);
  EXPECT_DOUBLE_EQ(large.StandardDeviation(), static_cast<double>(most));
}

TEST(Statistics, PartsMergeToTheWhole) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(100, 3);
  std::vector<float> values(100'003);
  for (float& value : values) value = normal(random);
  Statistics whole;
  whole.Add(values);
  Statistics parts;
  for (std::size_t at = 0; at < values.size(); at += 777) {
    Statistics part;
    part.Add(std::span(values).subspan(at, std::min<std::size_t>(777, values.size() - at)));
    parts.Merge(part);
  }
  EXPECT_EQ(parts.finite(), values.size());
  EXPECT_EQ(parts.min(), whole.min());
  EXPECT_EQ(parts.max(), whole.max());
  EXPECT_NEAR(parts.mean(), whole.mean(), 1e-10);
  EXPECT_NEAR(parts.StandardDeviation(), whole.StandardDeviation(), 1e-10);
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value);
  EXPECT_NEAR(whole.mean(), sum / static_cast<double>(values.size()), 1e-9);
  EXPECT_NEAR(whole.StandardDeviation(), 3, 0.05);
}

TEST(Histogram, CountsEveryFiniteValue) {
  Histogram histogram(0, 16);
  std::vector<float> values(32);
  for (std::size_t i = 0; i < values.size(); ++i) values.at(i) = static_cast<float>(i) / 2;
  histogram.Add(values);
  histogram.Add(std::vector<float>{kNan, kInfinity, -kInfinity});
  EXPECT_THAT(histogram.counts(), Each(2U));
  histogram.Add(std::vector<float>{16});  // the upper end belongs to the last
  EXPECT_EQ(histogram.counts().back(), 3U);
  EXPECT_EQ(histogram.LowerEdge(0), 0);
  EXPECT_EQ(histogram.LowerEdge(3), 3);
  EXPECT_EQ(histogram.LowerEdge(Histogram::kBins), 16);
}

TEST(Histogram, OfOneValueHasNoWidth) {
  Histogram histogram(7, 7);
  histogram.Add(std::vector<float>(5, 7.0F));
  EXPECT_EQ(histogram.counts().front(), 5U);
}

TEST(Histogram, OfTheLargestRange) {
  const float most = std::numeric_limits<float>::max();
  Histogram histogram(-most, most);
  histogram.Add(std::vector<float>{-most, 0, most});
  EXPECT_EQ(histogram.counts().front(), 1U);
  EXPECT_EQ(histogram.counts().at(8), 1U);
  EXPECT_EQ(histogram.counts().back(), 1U);
  Histogram other(-most, most);
  other.Merge(histogram);
  EXPECT_EQ(other.counts(), histogram.counts());
}

}  // namespace
}  // namespace ggufgate::testing
