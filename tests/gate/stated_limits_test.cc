// The numbers in SECURITY.md and docs/threat-model.md that no other test contains.

#include <gtest/gtest.h>

#include "check/finding.h"
#include "check/policy.h"
#include "gate/find_files.h"
#include "gate/reading/stream_source.h"

namespace ggufgate {
namespace {

TEST(StatedLimits, Search) {
  EXPECT_EQ(SearchLimits{}.depth, 64U);
  EXPECT_EQ(SearchLimits{}.names, 1'000'000U);
}

TEST(StatedLimits, PaddingFromAPipe) {
  constexpr std::uint64_t kPageBytes = 4096;
  EXPECT_EQ(StreamSource::kMostPages * kPageBytes, std::uint64_t{24} << 20);
}

// Four texts of a finding are on the heap.
TEST(StatedLimits, Findings) {
  EXPECT_EQ(kMostFindingsPerRule, 1'000U);
  EXPECT_LE(sizeof(Finding) + 4 * (Subject::kLongestText + 1), 3U << 10);
}

}  // namespace
}  // namespace ggufgate
