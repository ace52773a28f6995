#include "format/label.h"

#include <gtest/gtest.h>

#include <string>

namespace ggufgate {
namespace {

TEST(Label, EveryOneIsFoundAndNoneIsAKeyThatLoadersActOn) {
  for (const KeyInfo& label : AllLabels()) {
    std::string key(label.pattern);
    const std::size_t number = key.find("{n}");
    if (number != std::string::npos) key.replace(number, 3, "17");
    const KeyInfo* found = FindLabel(key);
    ASSERT_NE(found, nullptr) << key;
    EXPECT_EQ(found->pattern, label.pattern);
    EXPECT_FALSE(found->what.empty());
    EXPECT_EQ(FindKey(key, "llama"), nullptr) << key;
    EXPECT_FALSE(IsReadByLoaders(key, "llama")) << key;
    EXPECT_EQ(FindLabel(key + "x"), nullptr);
    EXPECT_EQ(FindLabel(key.substr(1)), nullptr);
  }
}

TEST(Label, ANumberStandsBetweenTwoDots) {
  ASSERT_NE(FindLabel("general.base_model.0.name"), nullptr);
  EXPECT_NE(FindLabel("general.base_model.18446744073709551615.repo_url"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model..name"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.x0.name"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.0x.name"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.-1.name"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.0"), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.0."), nullptr);
  EXPECT_EQ(FindLabel("general.base_model.0.0.name"), nullptr);
  EXPECT_EQ(FindLabel("0"), nullptr);
  EXPECT_EQ(FindLabel(""), nullptr);
  EXPECT_EQ(FindLabel(std::string(1'000'000, '1')), nullptr);
}

}  // namespace
}  // namespace ggufgate
