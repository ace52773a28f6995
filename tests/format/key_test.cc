#include "format/key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ggufgate {
namespace {

TEST(FindKey, FindsEveryKeyOfTheTable) {
  std::set<std::string_view> patterns;
  for (const KeyInfo& key : AllKeys()) {
    SCOPED_TRACE(key.pattern);
    EXPECT_TRUE(patterns.insert(key.pattern).second);
    EXPECT_FALSE(key.what.empty());
    std::string text(key.pattern);
    const std::size_t at = text.find("{arch}");
    if (at != std::string::npos) {
      EXPECT_EQ(at, 0U);
      EXPECT_EQ(FindKey(text, ""), nullptr) << "no file has such a key";
      text.replace(0, 6, "some-arch");
    }
    const KeyInfo* found = FindKey(text, "some-arch");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->pattern, key.pattern);
  }
}

TEST(FindKey, GoesByTheArchitecture) {
  ASSERT_NE(FindKey("llama.block_count", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llama")->shape, KeyShape::kInteger);
  EXPECT_EQ(FindKey("llama.block_count", ""), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llam"), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llama."), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "qwen2"), nullptr);
  EXPECT_EQ(FindKey("llama", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama_block_count", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_coun", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_counts", "llama"), nullptr);
  EXPECT_EQ(FindKey("", "llama"), nullptr);
  EXPECT_NE(FindKey("general.architecture", ""), nullptr);
  // An architecture may be called like a family of keys.
  EXPECT_NE(FindKey("split.block_count", "split"), nullptr);
  EXPECT_EQ(FindKey("split.no", "split")->pattern, "split.no");
}

TEST(KeyShapes, HaveWordsAndSayWhichAreByLayer) {
  for (int i = 0; i <= static_cast<int>(KeyShape::kBytes); ++i) {
    EXPECT_FALSE(WordFor(static_cast<KeyShape>(i)).empty()) << i;
  }
  EXPECT_EQ(WordFor(KeyShape::kU16), "a u16");
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerIntegers));
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerFloats));
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerBools));
  EXPECT_FALSE(IsPerLayer(KeyShape::kOneOrMoreIntegers));
  EXPECT_FALSE(IsPerLayer(KeyShape::kIntegers));
}

}  // namespace
}  // namespace ggufgate
