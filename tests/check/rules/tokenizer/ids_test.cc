// Rules token-id-range, vocabulary-size and vocabulary-special-tokens.

#include <gtest/gtest.h>

#include "format/tokenizers/tokenizer.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

template <typename T>
Model WithId(const char* key, T id) {
  return BytePairs().Set(TokenizerKey(key), id);
}

TEST(TokenIdRange, OnePastTheLast) {
  const Model model = WithId("eos_token_id", std::uint32_t{12});
  const Finding finding = SoleFinding(model, RuleId::kTokenIdRange);
  EXPECT_THAT(finding, Tells({ValueAt(model, 3), 4}, Number(12), Number(12)));
  EXPECT_EQ(Describe(finding.subject), "metadata 3 \"tokenizer.ggml.eos_token_id\"");
  EXPECT_EQ(WordingOf(finding), TokenIdRangeWording::kRange);
  EXPECT_EQ(Severities(model, RuleId::kTokenIdRange), "error warning error");

  EXPECT_THAT(RulesFired(WithId("eos_token_id", std::uint32_t{11})), IsEmpty());
  EXPECT_THAT(RulesFired(WithId("eos_token_id", kNoToken)), IsEmpty());
  EXPECT_THAT(RulesFired(WithId("eos_token_id", kNoToken - 1)), ElementsAre("token-id-range"));
}

TEST(TokenIdRange, OtherTypes) {
  const Model model = WithId("padding_token_id", std::uint64_t{1});
  const Finding finding = SoleFinding(model, RuleId::kTokenIdRange);
  EXPECT_THAT(finding, Tells({TypeAt(model, 3), 4}, Text("u64"), Text("u32")));
  EXPECT_EQ(WordingOf(finding), TokenIdRangeWording::kType);
  EXPECT_EQ(Severities(model, RuleId::kTokenIdRange), "error error error");
  EXPECT_EQ(Severities(WithId("bos_token_id", "<s>"), RuleId::kTokenIdRange), "error error error");
  // llama.cpp does not read this one.
  EXPECT_EQ(Severities(WithId("cls_token_id", "<s>"), RuleId::kTokenIdRange),
            "error warning error");
}

TEST(TokenIdRange, SignedIdsAreTolerated) {
  for (const std::int32_t id : {0, 11, -1}) {
    EXPECT_EQ(Severities(WithId("eos_token_id", id), RuleId::kTokenIdRange), "warning error error")
        << id;
  }
  EXPECT_EQ(Severities(WithId("eos_token_id", std::int32_t{-2}), RuleId::kTokenIdRange),
            "error error error");
  const Judged beyond = Judge(WithId("eos_token_id", std::int32_t{12}));
  EXPECT_THAT(FindingsOf(beyond, RuleId::kTokenIdRange), SizeIs(2));
  EXPECT_FALSE(beyond.Accepted());
}

// Published models have an `image_token_id` that is one too large for the vocabulary
// (llama.cpp#11212).
TEST(TokenIdRange, OfAnIdNobodyReadsIsAWarning) {
  EXPECT_EQ(Severities(WithId("image_token_id", std::uint32_t{12}), RuleId::kTokenIdRange),
            "warning warning warning");
  EXPECT_EQ(Severities(WithId("image_token_id", "x"), RuleId::kTokenIdRange),
            "warning warning warning");
  EXPECT_THAT(RulesFired(WithId("eos_token_ids", std::uint32_t{99})), IsEmpty());
}

TEST(TokenIdRange, NeedsAVocabulary) {
  const Model model = Model().Set(TokenizerKey("eos_token_id"), std::uint32_t{99});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(VocabularySize, NoTokens) {
  const Model model = WithTokens("llama", {});
  const Finding finding = SoleFinding(model, RuleId::kVocabularySize);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1) + 4, 8}, _, _, Text("llama")));
  EXPECT_EQ(WordingOf(finding), VocabularySizeWording::kNoTokens);
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "error error warning");
  for (const char* loads : {"gpt2", "rwkv"}) {
    EXPECT_EQ(Severities(WithTokens(loads, {}), RuleId::kVocabularySize), "error warning warning");
  }
}

TEST(VocabularySize, NoneIsAVocabularyToo) {
  for (const char* fine : {"none", "no_vocab"}) {
    EXPECT_THAT(RulesFired(WithTokens(fine, {})), IsEmpty()) << fine;
  }
  EXPECT_THAT(RulesFired(Model().Set(TokenizerKey("tokens"), std::vector<std::string>{})),
              IsEmpty());
  EXPECT_THAT(RulesFired(Model().Set(TokenizerKey("model"), std::uint32_t{1})).size(),
              ::testing::Le(1U));  // another rule checks its type
}

TEST(VocabularySize, AbsentTokensAreAWarning) {
  const Model model = Model().Set(TokenizerKey("model"), "bert");
  const Finding finding = Judge(model).Only(RuleId::kVocabularySize);
  EXPECT_EQ(WordingOf(finding), VocabularySizeWording::kAbsent);
  EXPECT_EQ(finding.where, (ByteRange{ValueAt(model, 0), 8 + 4}));
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "warning error warning");
  // Rule tokenizer-array-type reports tokens of another type.
  const Model other = Model(model).Set(TokenizerKey("tokens"), std::uint32_t{1});
  EXPECT_THAT(RulesFired(other), ElementsAre("tokenizer-array-type"));
}

TEST(VocabularySize, DefaultsOutOfRange) {
  const Model model = BytePairs(11);
  const Finding finding = SoleFinding(model, RuleId::kVocabularySize);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1) + 4, 8}, Number(11), Number(11)));
  EXPECT_EQ(WordingOf(finding), VocabularySizeWording::kTooFew);
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "error warning warning");
  EXPECT_THAT(RulesFired(BytePairs()), IsEmpty());

  Model named = BytePairs(1);
  named.Set(TokenizerKey("bos_token_id"), std::uint32_t{0});
  EXPECT_THAT(RulesFired(named), ElementsAre("vocabulary-size"));
  named.Set(TokenizerKey("eos_token_id"), kNoToken);
  EXPECT_THAT(RulesFired(named), IsEmpty());
}

// llama.cpp crashes on a default that it adds to a text.
TEST(VocabularySize, DefaultsThatAreAddedKill) {
  const auto severities = [](Model model) { return Severities(model, RuleId::kVocabularySize); };
  EXPECT_EQ(severities(WithTokens("gpt2", Numbered(3)).Set(TokenizerKey("add_bos_token"), true)),
            "error error warning");
  EXPECT_EQ(severities(WithTokens("gpt2", Numbered(3)).Set(TokenizerKey("add_eos_token"), true)),
            "error error warning");
  EXPECT_EQ(severities(WithTokens("llama", Numbered(1))), "error error warning");
  EXPECT_EQ(severities(WithTokens("llama", Numbered(2))), "error warning warning");
  EXPECT_EQ(severities(WithTokens("t5", Numbered(2))), "error error warning");
  EXPECT_EQ(severities(WithTokens("plamo2", Numbered(3))), "error error warning");
  EXPECT_EQ(severities(WithTokens("plamo2", Numbered(4))), "off off off");
  EXPECT_EQ(severities(WithTokens("t5", Numbered(3))), "off off off");
}

TEST(VocabularySize, NothingToAdd) {
  Model model = WithTokens("t5", Numbered(3)).Set(TokenizerKey("add_bos_token"), true);
  const Finding finding = SoleFinding(model, RuleId::kVocabularySize);
  EXPECT_THAT(finding, Tells({ValueAt(model, 2), 1}, _, _, Text("tokenizer.ggml.bos_token_id")));
  EXPECT_EQ(WordingOf(finding), VocabularySizeWording::kNothingToAdd);
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "error error warning");

  model.Set(TokenizerKey("bos_token_id"), kNoToken);
  EXPECT_THAT(RulesFired(model), ElementsAre("vocabulary-size"));
  model.Set(TokenizerKey("bos_token_id"), std::uint32_t{0});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set(TokenizerKey("bos_token_id"), "a");  // checked by another rule
  EXPECT_THAT(RulesFired(model), ElementsAre("token-id-range"));
}

TEST(VocabularySize, WhoDoesNotHeedIsWarned) {
  const Model model = WithTokens("rwkv", Numbered(3)).Set(TokenizerKey("add_eos_token"), true);
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "warning warning warning");
  EXPECT_EQ(Severities(WithTokens("rwkv", Numbered(3)), RuleId::kVocabularySize), "off off off");
}

TEST(VocabularySize, Gemma4AddsWithoutBeingTold) {
  const Model model = WithTokens("gemma4", Numbered(3));
  const Finding finding = Judge(model).Only(RuleId::kVocabularySize);
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"tokenizer.ggml.model\"");
  EXPECT_EQ(WordingOf(finding), VocabularySizeWording::kNothingToAdd);
  const Model named = Model(model).Set(TokenizerKey("bos_token_id"), std::uint32_t{1});
  EXPECT_EQ(Severities(named, RuleId::kVocabularySize), "off off off");
}

// Facts of llama.cpp v0.5.0 about a pre-tokenizer: whether texts begin with a token, and which one.
TEST(VocabularySize, ThePretokenizerHasASay) {
  const auto severities = [](std::size_t tokens, const char* pre, bool adds) {
    Model model = BytePairs(tokens).Set(TokenizerKey("pre"), pre);
    if (adds) model.Set(TokenizerKey("add_bos_token"), true);
    return Severities(model, RuleId::kVocabularySize);
  };
  EXPECT_EQ(severities(3, "gpt-2", false), "error warning warning");
  EXPECT_EQ(severities(3, "llama-bpe", false), "error error warning");
  EXPECT_EQ(severities(12, "llama-bpe", false), "off off off");
  EXPECT_EQ(severities(12, "glm4", false), "off off off");
  EXPECT_EQ(severities(12, "glm4", true), "error error warning");
  Model said = BytePairs(3).Set(TokenizerKey("pre"), "gemma4");
  said.Set(TokenizerKey("add_bos_token"), false);  // is ignored
  EXPECT_EQ(Severities(said, RuleId::kVocabularySize), "error error warning");
  said.Set(TokenizerKey("pre"), "llama-bpe");
  EXPECT_EQ(Severities(said, RuleId::kVocabularySize), "error warning warning");
}

// For an id out of range the default is used: if there is none, a text causes a crash.
TEST(VocabularySize, AnIdOutOfRangeNamesNothingInLlamaCpp) {
  Model model = WithTokens("t5", Numbered(3)).Set(TokenizerKey("add_bos_token"), true);
  model.Set(TokenizerKey("bos_token_id"), std::uint32_t{9});
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "off error off");
  EXPECT_EQ(Severities(model, RuleId::kTokenIdRange), "error warning error");
}

TEST(VocabularySpecialTokens, ByKeyOrByDefault) {
  Model model = WithTokens("bert", Numbered(101));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kVocabularySpecialTokens);
  EXPECT_THAT(RulesFired(model), ElementsAre("vocabulary-special-tokens"));
  ASSERT_THAT(findings, SizeIs(2));  // 101 and 102; 100 exists
  EXPECT_THAT(findings[0], Tells({ValueAt(model, 1) + 4, 8}, Number(101), Number(101),
                                 Text("tokenizer.ggml.bos_token_id")));
  EXPECT_EQ(findings[1].other, Text("tokenizer.ggml.seperator_token_id"));
  EXPECT_EQ(Severities(model, RuleId::kVocabularySpecialTokens), "error error warning");

  model.Set(TokenizerKey("bos_token_id"), std::uint32_t{1});
  model.Set(TokenizerKey("seperator_token_id"), std::uint32_t{2});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  EXPECT_THAT(RulesFired(WithTokens("bert", Numbered(103))), IsEmpty());
}

TEST(VocabularySpecialTokens, UnknownIsMissedToo) {
  Model model = WithTokens("bert", Numbered(6));
  model.Set(TokenizerKey("bos_token_id"), std::uint32_t{1});
  model.Set(TokenizerKey("seperator_token_id"), std::uint32_t{2});
  EXPECT_EQ(Severities(model, RuleId::kVocabularySpecialTokens), "error error warning");
  EXPECT_THAT(RulesFired(WithTokens("bert", {})), ElementsAre("vocabulary-size"));
}

}  // namespace
}  // namespace ggufgate::testing
