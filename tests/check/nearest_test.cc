#include "check/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace ggufgate {
namespace {

constexpr std::array<std::string_view, 3> kWords = {"severity", "limits", "suppress"};

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(Nearest("severities", kWords), "severity");
  EXPECT_EQ(Nearest("limit", kWords), "limits");
  EXPECT_EQ(Nearest("suppres", kWords), "suppress");
  EXPECT_EQ(Nearest("limits", kWords), "limits");
}

TEST(Nearest, IsAWordThatBeginsWithTheOneAskedFor) {
  constexpr std::array<std::string_view, 2> kRules = {"key-nul", "key-duplicate"};
  EXPECT_EQ(Nearest("key-dup", kRules), "key-duplicate");
  EXPECT_EQ(Nearest("key", kRules), "key-nul");
  EXPECT_EQ(Nearest("ke", kRules), "");
}

TEST(Nearest, GivesNothingForNonsense) {
  EXPECT_EQ(Nearest("0123456789", kWords), "");
  EXPECT_EQ(Nearest("", kWords), "");
  EXPECT_EQ(Nearest(std::string(1'000'000, 's'), kWords), "");
  EXPECT_EQ(Nearest("limits", {}), "");
}

TEST(NearestRule, IsARuleOfTheCatalogue) {
  ASSERT_NE(NearestRule("key-styl"), nullptr);
  EXPECT_EQ(NearestRule("key-styl")->id, RuleId::kKeyStyle);
  EXPECT_EQ(NearestRule("0123456789 0123456789"), nullptr);
}

}  // namespace
}  // namespace ggufgate
