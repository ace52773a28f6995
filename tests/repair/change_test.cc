// The tables of repairs and doubts.

#include "repair/change.h"

#include <gtest/gtest.h>

#include <set>

#include "check/rule.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

TEST(RepairTable, NamesRulesThatExist) {
  std::set<std::string_view> slugs;
  for (const RepairInfo& info : AllRepairs()) {
    EXPECT_TRUE(slugs.insert(info.slug).second) << info.slug;
    EXPECT_FALSE(info.reason.empty()) << info.slug;
    std::string_view rules = info.rules;
    while (!rules.empty()) {
      const std::string_view rule = rules.substr(0, rules.find(", "));
      EXPECT_NE(FindRule(rule), nullptr) << rule;
      rules.remove_prefix(std::min(rules.size(), rule.size() + 2));
    }
  }
}

TEST(RepairTable, FillsInNumbersAndWords) {
  EXPECT_EQ(TextFor(Change{
                .repair = RepairId::kNextLayers, .subject = "glm4.block_count", .a = 47, .b = 46}),
            "glm4.block_count: 47 becomes 46");
  EXPECT_EQ(
      TextFor(Change{.repair = RepairId::kTokenTypes, .subject = "t", .a = 32'000, .text = "u32"}),
      "t: 32,000 elements become i32 instead of u32");
  EXPECT_EQ(TextFor(Change{.repair = RepairId::kFinalPadding, .a = 17}),
            "17 zero bytes are added at the end");
}

TEST(RepairTable, EscapesKeys) {
  EXPECT_THAT(TextFor(Change{.repair = RepairId::kDuplicateKey, .subject = "a\x1b[2J"}),
              StartsWith("a\\x1b[2J: "));
  EXPECT_THAT(TextFor(Doubt{.id = DoubtId::kDifferentValues, .subject = "a\nb"}),
              StartsWith("a\\x0ab: "));
}

}  // namespace
}  // namespace ggufgate::testing
