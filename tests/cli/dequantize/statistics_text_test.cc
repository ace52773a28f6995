#include "cli/dequantize/statistics_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Printed(const std::vector<float>& values) {
  Statistics statistics;
  statistics.Add(values);
  std::optional<Histogram> histogram;
  if (statistics.finite() > 0) {
    histogram.emplace(statistics.min(), statistics.max());
    histogram->Add(values);
  }
  std::ostringstream out;
  PrintStatistics(statistics, histogram, out);
  return out.str();
}

TEST(PrintStatistics, TellsWhatThereIs) {
  std::vector<float> values(1000, 0.5F);
  values[0] = -1;
  values[1] = 1;
  values[2] = 0;
  const std::string text = Printed(values);
  EXPECT_THAT(text, HasSubstr("  values     1,000\n"));
  EXPECT_THAT(text, HasSubstr("  min        -1\n"));
  EXPECT_THAT(text, HasSubstr("  max        1\n"));
  EXPECT_THAT(text, HasSubstr("  mean       0.4985\n"));
  EXPECT_THAT(text, HasSubstr("  zeros      1 (0.1 %)\n"));
  EXPECT_THAT(text, HasSubstr("  NaN        0\n"));
  EXPECT_THAT(text, HasSubstr("  infinite   0\n"));
  // The longest bar has 40 characters, the shortest of a positive count has 1.
  EXPECT_THAT(text, HasSubstr("997  " + std::string(40, '#') + "\n"));
  EXPECT_THAT(text, HasSubstr("  from -1    1  #\n"));
}

TEST(PrintStatistics, HidesNoNan) {
  const std::string text = Printed({std::numeric_limits<float>::quiet_NaN(), 1, 1, 1});
  EXPECT_THAT(text, HasSubstr("NaN        1 (25 %)"));
}

TEST(PrintStatistics, WithoutFiniteValuesThereIsNoRange) {
  const std::string text = Printed({std::numeric_limits<float>::infinity()});
  EXPECT_THAT(text, HasSubstr("infinite  1 (100 %)"));
  EXPECT_THAT(text, Not(HasSubstr("min")));
  EXPECT_THAT(text, Not(HasSubstr("from")));
}

TEST(PrintStatistics, OfNothing) { EXPECT_THAT(Printed({}), HasSubstr("values    0\n")); }

}  // namespace
}  // namespace ggufgate
