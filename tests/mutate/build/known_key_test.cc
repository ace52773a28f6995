#include "mutate/build/known_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ggufgate::mutate {
namespace {

std::string_view PatternOf(KeyId id) { return id == kUnknownKey ? "none" : AllKeys()[id].pattern; }
std::string_view PatternOf(const KeyInfo* key) { return key == nullptr ? "none" : key->pattern; }

TEST(KnownKey, IsWhatTheFormatFinds) {
  for (const std::string_view architecture : {"", "llama", "clip", "general", "xielu"}) {
    for (const KeyInfo& key : AllKeys()) {
      std::string name(key.pattern);
      const bool of_architecture = name.starts_with("{arch}");
      if (of_architecture) name.replace(0, 6, architecture);
      for (const std::string& tried : {name, name + "x", name.substr(1), "x" + name}) {
        ASSERT_EQ(PatternOf(FindKeyId(tried, architecture)),
                  PatternOf(FindKey(tried, architecture)))
            << tried;
      }
    }
  }
}

TEST(KnownKey, KnowsItsNumber) {
  static_assert(kKnownKeys[IdOf("{arch}.block_count")].name == "block_count");
  EXPECT_EQ(FindKeyId("llama.block_count", "llama"), IdOf("{arch}.block_count"));
  EXPECT_EQ(FindKeyId("llama.block_count", ""), kUnknownKey);
  EXPECT_EQ(FindKeyId("split.no", "llama"), IdOf("split.no"));
  EXPECT_EQ(FindKeyId("", ""), kUnknownKey);
}

}  // namespace
}  // namespace ggufgate::mutate
