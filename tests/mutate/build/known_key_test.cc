#include "mutate/build/known_key.h"

#include <gtest/gtest.h>

#include <string>

namespace ggufgate::mutate {
namespace {

TEST(KnownKey, HasTheNumberThatTheFormatGivesIt) {
  ASSERT_EQ(kKnownKeys.size(), AllKeys().size());
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    const std::string begin = kKnownKeys.at(i).of_architecture ? "{arch}." : "";
    EXPECT_EQ(begin + std::string(kKnownKeys.at(i).name), AllKeys()[i].pattern);
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
