// Rule charsmap.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

using Map = std::vector<std::uint8_t>;

Model WithMap(const Map& map, std::string_view tokenizer = "t5") {
  return WithTokens(tokenizer, Numbered(3)).Set(TokenizerKey("precompiled_charsmap"), map);
}

Finding OnlyOf(const Model& model) {
  EXPECT_THAT(RulesFired(model), ElementsAre("charsmap"));
  return Judge(model).Only(RuleId::kCharsmap);
}

TEST(Charsmap, IsASizeATrieAndTexts) {
  // A trie of this size can only break rule charsmap-walk.
  EXPECT_THAT(RulesFired(WithMap({4, 0, 0, 0, 1, 2, 3, 4, 'b', 0})), ElementsAre("charsmap-walk"));
  EXPECT_THAT(RulesFired(WithMap({4, 0, 0, 0, 1, 2, 3, 4, 0})), ElementsAre("charsmap-walk"));
  EXPECT_THAT(RulesFired(WithMap({0, 0, 0, 0, 0})), IsEmpty());
  const Model signed_bytes =
      WithTokens("t5", Numbered(3))
          .Set(TokenizerKey("precompiled_charsmap"), std::vector<std::int8_t>{0, 0, 0, 0, 0});
  EXPECT_THAT(RulesFired(signed_bytes), IsEmpty());
}

TEST(Charsmap, TooShortForItsSize) {
  const Model model = WithMap({0, 0, 0});
  const Finding finding = OnlyOf(model);
  EXPECT_THAT(finding, Tells({ValueAt(model, 2) + 12, 3}, Number(3), Number(4)));
  EXPECT_EQ(Describe(finding.subject), "metadata 2 \"tokenizer.ggml.precompiled_charsmap\"");
  EXPECT_EQ(WordingOf(finding), CharsmapWording::kTooShort);
  EXPECT_EQ(Severities(model, RuleId::kCharsmap), "error error warning");

  const Model empty = WithMap({});
  EXPECT_EQ(OnlyOf(empty).where, (ByteRange{ValueAt(empty, 2) + 4, 8}));
}

TEST(Charsmap, TrieLongerThanTheRest) {
  const Model model = WithMap({8, 0, 0, 0, 1, 2, 3, 4, 0});
  const Finding finding = OnlyOf(model);
  EXPECT_THAT(finding, Tells({ValueAt(model, 2) + 12, 4}, Number(8), Number(5)));
  EXPECT_EQ(WordingOf(finding), CharsmapWording::kTooLong);
  // 2^32-1 plus 4 must not become 3.
  EXPECT_EQ(OnlyOf(WithMap({0xFF, 0xFF, 0xFF, 0xFF, 0})).observed, Number(UINT32_MAX));
  EXPECT_EQ(WordingOf(OnlyOf(WithMap({0xFC, 0xFF, 0xFF, 0xFF, 0}))), CharsmapWording::kTooLong);
}

TEST(Charsmap, TrieCutInANumber) {
  const Model model = WithMap({3, 0, 0, 0, 1, 2, 3, 0});
  const Finding finding = OnlyOf(model);
  EXPECT_THAT(finding, Tells({ValueAt(model, 2) + 12, 4}, Number(3), Number(4)));
  EXPECT_EQ(WordingOf(finding), CharsmapWording::kCutNumber);
  EXPECT_EQ(Severities(model, RuleId::kCharsmap), "error warning warning");
}

TEST(Charsmap, TextsWithoutAnEnd) {
  const Model model = WithMap({0, 0, 0, 0, 0, 'b'});
  const Finding finding = OnlyOf(model);
  EXPECT_EQ(finding.where, (ByteRange{ValueAt(model, 2) + 12 + 5, 1}));
  EXPECT_EQ(WordingOf(finding), CharsmapWording::kNoNul);
  EXPECT_EQ(Severities(model, RuleId::kCharsmap), "error error warning");
  EXPECT_EQ(WordingOf(OnlyOf(WithMap({0, 0, 0, 0}))), CharsmapWording::kNoNul);  // no texts
  EXPECT_EQ(WordingOf(OnlyOf(WithMap({4, 0, 0, 0, 0, 0, 0, 0}))),
            CharsmapWording::kNoNul);  // the NUL belongs to the trie
}

TEST(Charsmap, IsReadByUnigramOnly) {
  EXPECT_EQ(Severities(WithMap({0}, "rwkv"), RuleId::kCharsmap), "warning warning warning");
  const Model alone = Model().Set(TokenizerKey("precompiled_charsmap"), Map{0});
  EXPECT_EQ(Severities(alone, RuleId::kCharsmap), "warning warning warning");
  const Model wrong = WithTokens("t5", Numbered(3))
                          .Set(TokenizerKey("precompiled_charsmap"), std::vector<std::int32_t>{0});
  EXPECT_THAT(RulesFired(wrong), ElementsAre("tokenizer-array-type"));
}

// It is an array of bytes: its size is little-endian in every file.
TEST(Charsmap, InBigEndianFiles) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set(TokenizerKey("model"), "t5").Set(TokenizerKey("tokens"), Numbered(3));
  model.Set(TokenizerKey("precompiled_charsmap"), Map{0, 0, 0, 0, 0});
  Policy policy;
  policy.target = TargetOrder::kBig;
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
