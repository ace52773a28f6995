// Rules tokenizer-array-type and tokenizer-array-length.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

TEST(TokenizerArrayType, OfTheElements) {
  const Model model = BytePairs().Set(TokenizerKey("token_type"), std::vector<std::uint16_t>{1});
  EXPECT_THAT(RulesFired(model), ElementsAre("tokenizer-array-length", "tokenizer-array-type"));
  const Finding finding = Judge(model).Only(RuleId::kTokenizerArrayType);
  EXPECT_THAT(finding,
              Tells({ValueAt(model, 3), 4}, Text("array of u16"), Text("an array of i32")));
  EXPECT_EQ(Describe(finding.subject), "metadata 3 \"tokenizer.ggml.token_type\"");
  EXPECT_EQ(Severities(model, RuleId::kTokenizerArrayType), "error error error");
}

TEST(TokenizerArrayType, AScalarIsNoArray) {
  const Model model = BytePairs().Set(TokenizerKey("merges"), "a b");
  EXPECT_THAT(SoleFinding(model, RuleId::kTokenizerArrayType),
              Tells({TypeAt(model, 2), 4}, Text("string")));
}

TEST(TokenizerArrayType, EveryArray) {
  const std::vector<std::uint16_t> wrong;
  for (const char* name :
       {"tokens", "merges", "scores", "token_type", "suppress_tokens", "precompiled_charsmap"}) {
    Model model = Model().Set(TokenizerKey(name), wrong);
    EXPECT_THAT(RulesFired(model), ElementsAre("tokenizer-array-type")) << name;
  }
  EXPECT_THAT(RulesFired(Model().Set(TokenizerKey("added"), wrong)), IsEmpty());
  EXPECT_THAT(RulesFired(Model().Set("scores", wrong)), IsEmpty());
}

TEST(TokenizerArrayType, RightTypes) {
  Model model = BytePairs();
  model.Set(TokenizerKey("merges"), std::vector<std::string>{"a b"});
  model.Set(TokenizerKey("scores"), std::vector<float>(12));
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>(12, 1));
  model.Set(TokenizerKey("suppress_tokens"), std::vector<std::int32_t>{1});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

// llama.cpp#27260: integral scores are stored as i32.
TEST(TokenizerArrayType, WholeScoresAreAWarning) {
  const Model model = BytePairs().Set(TokenizerKey("scores"), std::vector<std::int32_t>(12));
  EXPECT_EQ(Severities(model, RuleId::kTokenizerArrayType), "warning warning error");
}

// Written by mlx-lm. The bits are those of i32, and the other rules read them.
TEST(TokenizerArrayType, UnsignedTokenTypesAreAWarning) {
  std::vector<std::uint32_t> types(12, 1);
  const Model model = BytePairs().Set(TokenizerKey("token_type"), types);
  EXPECT_EQ(Severities(model, RuleId::kTokenizerArrayType), "warning error error");
  EXPECT_TRUE(Judge(model).Accepted());
  types.front() = 6;  // a byte token, but the text is a letter
  EXPECT_THAT(Judge(BytePairs().Set(TokenizerKey("token_type"), types)).AllRules(),
              IsSupersetOf({"byte-token", "tokenizer-array-type"}));
}

TEST(TokenizerArrayType, IsAWarningForLlamaCppWhereItDoesNotRead) {
  const std::vector<std::uint16_t> wrong;
  const auto severities = [&](const char* tokenizer, const char* array) {
    const Model model = WithTokens(tokenizer, Numbered(12)).Set(TokenizerKey(array), wrong);
    return Severities(model, RuleId::kTokenizerArrayType);
  };
  EXPECT_EQ(severities("gpt2", "merges"), "error error error");
  EXPECT_EQ(severities("llama", "merges"), "error warning error");
  EXPECT_EQ(severities("t5", "precompiled_charsmap"), "error error error");
  EXPECT_EQ(severities("llama", "precompiled_charsmap"), "error warning error");
  EXPECT_EQ(severities("llama", "token_type"), "error error error");
  EXPECT_EQ(severities("none", "token_type"), "error warning error");
  EXPECT_EQ(severities("unheard-of", "token_type"), "error warning error");
}

TEST(TokenizerArrayType, ArraysOfArraysAreAnotherRules) {
  Model model;
  model.SetRaw(TokenizerKey("tokens"), ValueType::kArray,
               Encoder(ByteOrder::kLittle).Put(std::uint32_t{9}).Put(std::uint64_t{0}).Take());
  EXPECT_THAT(RulesFired(model), ElementsAre("array-nested"));
  EXPECT_EQ(Severities(model, RuleId::kTokenizerArrayType), "off off error");
}

TEST(TokenizerArrayLength, ShorterAndLonger) {
  for (const std::size_t count : {0U, 11U, 13U}) {
    const Model model = BytePairs().Set(TokenizerKey("scores"), std::vector<float>(count));
    const Finding finding = SoleFinding(model, RuleId::kTokenizerArrayLength);
    EXPECT_THAT(finding, Tells({ValueAt(model, 3) + 4, 8}, Number(count), Number(12)));
    EXPECT_EQ(Describe(finding.subject), "metadata 3 \"tokenizer.ggml.scores\"");
    EXPECT_EQ(Severities(model, RuleId::kTokenizerArrayLength),
              count < 12 ? "error error error" : "error warning error");
  }
  const Model types = BytePairs().Set(TokenizerKey("token_type"), std::vector<std::int32_t>(11, 1));
  EXPECT_THAT(RulesFired(types), ElementsAre("tokenizer-array-length"));
}

TEST(TokenizerArrayLength, NeedsTwoArrays) {
  EXPECT_THAT(RulesFired(Model().Set(TokenizerKey("scores"), std::vector<float>(3))), IsEmpty());
  EXPECT_THAT(RulesFired(BytePairs().Set(TokenizerKey("scores"), 1.0F)),
              ElementsAre("tokenizer-array-type"));
}

}  // namespace
}  // namespace ggufgate::testing
