#include "format/limits.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

namespace ggufgate {
namespace {

// Maintained by hand: a changed default must be changed in two places.
TEST(Limits, DefaultsAreThoseOfTheCatalogue) {
  const std::map<std::string_view, std::uint64_t> expected = {
      {"metadata_keys", 65'536U},
      {"tensors", 1'000'000U},
      {"key_bytes", 65'535U},
      {"string_bytes", 1'073'741'824U},
      {"array_elements", 1'073'741'824U},
      {"array_depth", 4U},
      {"array_strings", 10'000'000U},
      {"metadata_bytes", 268'435'456U},
      {"token_bytes", 65'536U},
      {"word_piece_bytes", 1'024U},
      {"vocabulary_steps", 100'000'000U},
      {"claimed_tokens", 2'000'000U},
      {"replacement_bytes", 1'024U},
      {"alignment", 1'048'576U},
      {"tensor_name_bytes", 159U},
      {"tensor_elements", 9'223'372'036'854'775'807U},  // off
      {"template_bytes", 1'048'576U},
      {"loader_memory", 4'294'967'296U},
      {"cpu_seconds", 3'600U}};
  const Limits limits;
  std::map<std::string_view, std::uint64_t> defaults;
  for (const LimitInfo& info : AllLimits()) defaults.emplace(info.name, limits.*info.value);
  EXPECT_EQ(defaults, expected);
}

TEST(Limits, EachHasANameAUnitAndAReason) {
  std::set<std::string_view> names;
  for (const LimitInfo& info : AllLimits()) {
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.unit.empty()) << info.name;
    EXPECT_GT(info.reason.size(), 10U) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " twice";
  }
}

TEST(Limits, TheListHasEveryMemberOnce) {
  // Sets each member through the list to a different number; a missing member would keep its
  // default.
  Limits limits;
  std::uint64_t number = 1'000;
  for (const LimitInfo& info : AllLimits()) limits.*info.value = number++;
  EXPECT_EQ(AllLimits().size() * sizeof(std::uint64_t), sizeof(Limits));
  EXPECT_EQ(limits.metadata_keys, 1'000U);
  std::set<std::uint64_t> values;
  for (const LimitInfo& info : AllLimits()) values.insert(limits.*info.value);
  EXPECT_EQ(values.size(), AllLimits().size());
}

TEST(Limits, NoneIsZero) {
  const Limits limits;
  for (const LimitInfo& info : AllLimits()) EXPECT_GT(limits.*info.value, 0U) << info.name;
}

TEST(Limits, TheDefaultDepthIsInsideWhatTheWalkCanHold) {
  EXPECT_LE(Limits{}.array_depth, kDeepestArray);
  EXPECT_EQ(kDeepestArray, 16U);
}

}  // namespace
}  // namespace ggufgate
