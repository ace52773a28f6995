#include "format/tokenizers/tokenizer.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(Tokenizers, AreFoundByTheirWord) {
  ASSERT_NE(FindTokenizer("llama"), nullptr);
  EXPECT_EQ(FindTokenizer("llama")->kind, TokenizerKind::kSentencePiece);
  EXPECT_EQ(FindTokenizer("llama")->bos, 1U);
  EXPECT_EQ(FindTokenizer("llama")->eos, 2U);
  EXPECT_EQ(FindTokenizer("llama")->unknown, 0U);
  EXPECT_EQ(FindTokenizer("llama")->separator, kNoToken);
  EXPECT_EQ(FindTokenizer("bert")->separator, 102U);
  EXPECT_EQ(FindTokenizer("gpt2")->bos, 11U);
  EXPECT_EQ(FindTokenizer("t5")->padding, 0U);
  EXPECT_EQ(FindTokenizer("none")->kind, TokenizerKind::kNone);
  EXPECT_EQ(FindTokenizer("test")->kind, TokenizerKind::kTest);
  EXPECT_EQ(FindTokenizer("no_vocab")->kind, TokenizerKind::kNone);
}

TEST(Tokenizers, AreNotFoundByAnother) {
  EXPECT_EQ(FindTokenizer(""), nullptr);
  EXPECT_EQ(FindTokenizer("Llama"), nullptr);
  EXPECT_EQ(FindTokenizer("replit"), nullptr);
}

}  // namespace
}  // namespace ggufgate
