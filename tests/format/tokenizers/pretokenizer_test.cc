#include "format/tokenizers/pretokenizer.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(Pretokenizers, AreFoundByTheirWord) {
  ASSERT_NE(FindPretokenizer("llama-bpe"), nullptr);
  EXPECT_EQ(FindPretokenizer("llama-bpe")->begins, BeginsText::kUnlessSaid);
  EXPECT_EQ(FindPretokenizer("qwen2")->begins, BeginsText::kIfSaid);
  EXPECT_EQ(FindPretokenizer("gemma4")->begins, BeginsText::kAlways);
  EXPECT_EQ(FindPretokenizer("gemma4")->blanks, Blanks::kEscaped);
  EXPECT_EQ(FindPretokenizer("whitespace")->blanks, Blanks::kRaw);
  EXPECT_FALSE(FindPretokenizer("glm4")->has_default_begin);
  EXPECT_FALSE(FindPretokenizer("kimi-k2")->needs_merges);
}

TEST(Pretokenizers, NoWordIsTheDefault) { EXPECT_EQ(FindPretokenizer("")->word, "default"); }

TEST(Pretokenizers, AreNotFoundByAnother) {
  EXPECT_EQ(FindPretokenizer("unheard-of"), nullptr);
  EXPECT_EQ(FindPretokenizer("GPT-2"), nullptr);
}

}  // namespace
}  // namespace ggufgate
