// Rules tokenizer-unknown, pretokenizer, tokenizer-refused, vocabulary-claimed.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

TEST(TokenizerUnknown, IsAWarning) {
  for (const char* word : {"replit", "Llama", "gpt-2", "", "llama "}) {
    const Model model = WithTokens(word, Numbered(3));
    EXPECT_THAT(RulesFired(model), ElementsAre("tokenizer-unknown")) << word;
    const Finding finding = Judge(model).Only(RuleId::kTokenizerUnknown);
    EXPECT_EQ(finding.where.begin, ValueAt(model, 0));
    EXPECT_EQ(finding.observed, Text(word));
    EXPECT_EQ(Severities(model, RuleId::kTokenizerUnknown), "warning error note");
  }
  EXPECT_THAT(RulesFired(WithTokens("t5", Numbered(3))), IsEmpty());
  EXPECT_THAT(RulesFired(WithTokens("test", Numbered(1))), IsEmpty());
}

// Readers in C end a text at its first NUL.
TEST(TokenizerUnknown, IsReadUpToItsFirstNul) {
  const Model model = WithTokens(std::string_view("t5\0x", 4), Numbered(2));
  EXPECT_EQ(Severities(model, RuleId::kTokenizerUnknown), "off off off");
  EXPECT_EQ(Severities(model, RuleId::kVocabularySize), "error error warning");
}

TEST(TokenizerOfTests, DividesByItsTokens) {
  EXPECT_EQ(Severities(WithTokens("test", {}), RuleId::kVocabularySize), "error error warning");
}

TEST(Pretokenizer, Unknown) {
  const Model model = BytePairs().Set(TokenizerKey("pre"), "unheard-of");
  const Finding finding = SoleFinding(model, RuleId::kPretokenizer);
  EXPECT_EQ(finding.where.begin, ValueAt(model, 3));
  EXPECT_EQ(finding.observed, Text("unheard-of"));
  EXPECT_EQ(WordingOf(finding), PretokenizerWording::kUnknown);
  EXPECT_EQ(Severities(model, RuleId::kPretokenizer), "warning error note");
  for (const char* word : {"", "default", "llama-bpe", "qwen35", "gemma4"}) {
    EXPECT_EQ(Severities(BytePairs().Set(TokenizerKey("pre"), word), RuleId::kPretokenizer),
              "off off off");
  }
}

TEST(Pretokenizer, Absent) {
  Model model = BytePairs();
  EXPECT_THAT(RulesFired(model), IsEmpty());  // no model
  model.Add("weight", TensorType::kF32, {8});
  const Finding finding = SoleFinding(model, RuleId::kPretokenizer);
  EXPECT_EQ(WordingOf(finding), PretokenizerWording::kAbsent);
  EXPECT_EQ(Severities(model, RuleId::kPretokenizer), "warning warning warning");
  EXPECT_THAT(RulesFired(model.Set(TokenizerKey("pre"), "gpt-2")), IsEmpty());
  model.Set(TokenizerKey("pre"), "default");
  EXPECT_EQ(WordingOf(SoleFinding(model, RuleId::kPretokenizer)), PretokenizerWording::kDefault);
  EXPECT_EQ(Severities(model, RuleId::kPretokenizer), "warning warning warning");
}

TEST(Pretokenizer, IsOfBytePairsOnly) {
  for (const char* tokenizer : {"t5", "gemma4", "none"}) {
    const Model model = WithTokens(tokenizer, Numbered(3)).Set(TokenizerKey("pre"), "unheard-of");
    EXPECT_EQ(Severities(model, RuleId::kPretokenizer), "off off off") << tokenizer;
  }
}

TEST(Pretokenizer, LeavesBlanks) {
  const auto severities = [](const char* tokenizer) {
    const Model model =
        BytePairs().Set(TokenizerKey("model"), tokenizer).Set(TokenizerKey("pre"), "whitespace");
    return Severities(model, RuleId::kPretokenizer);
  };
  EXPECT_EQ(severities("gpt2"), "error error warning");
  EXPECT_EQ(severities("hybriddna"), "error error warning");
  EXPECT_EQ(severities("whitespace"), "off off off");
  EXPECT_EQ(severities("gemma4"), "off off off");
  const Model model = BytePairs().Set(TokenizerKey("pre"), "whitespace");
  const Finding finding = Judge(model).Only(RuleId::kPretokenizer);
  EXPECT_EQ(WordingOf(finding), PretokenizerWording::kBlanks);
  EXPECT_EQ(finding.allowed, Text("gpt2"));
}

TEST(TokenizerRefused, WithoutMerges) {
  const Model model = WithTokens("gpt2", Numbered(12));
  EXPECT_THAT(RulesFired(model), ElementsAre("tokenizer-refused"));
  EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kTokenizerRefused)),
            TokenizerRefusedWording::kNoMerges);
  EXPECT_EQ(Severities(model, RuleId::kTokenizerRefused), "warning error note");
  EXPECT_THAT(RulesFired(Model(model).Set(TokenizerKey("pre"), "kimi-k2")), IsEmpty());
  EXPECT_THAT(RulesFired(BytePairs()), IsEmpty());
}

TEST(TokenizerRefused, OfThatName) {
  const auto severities = [](const char* name, std::vector<std::string> tokens) {
    const std::vector<std::string> more = Numbered(12);
    tokens.insert(tokens.end(), more.begin(), more.end());
    const Model model = WithTokens("t5", tokens).Set("general.name", name);
    return Severities(model, RuleId::kTokenizerRefused);
  };
  const std::vector<std::string> all = {"<unk>", "<s>", "</s>", "<|endoftext|>"};
  EXPECT_EQ(severities("My PHI-3 mini", {}), "warning error note");
  EXPECT_EQ(severities("phi3", {"<unk>", "<s>", "</s>"}), "warning error note");
  EXPECT_EQ(severities("phi3", all), "off off off");
  EXPECT_EQ(severities("phi 3", {}), "off off off");
  EXPECT_EQ(severities("phi4", {}), "off off off");
}

TEST(TokenizerRefused, NotByNameWhereLlamaCppLooksAtAnotherToken) {
  Model model = WithTokens("t5", Numbered(12)).Set("general.name", "phi3");
  const Finding finding = Judge(model).Only(RuleId::kTokenizerRefused);
  EXPECT_EQ(WordingOf(finding), TokenizerRefusedWording::kNoPhiToken);
  EXPECT_EQ(finding.observed, Text("</s>"));
  EXPECT_EQ(Severities(model, RuleId::kTokenizerRefused), "warning error note");
  model.Set(TokenizerKey("pre"), "jina-v2-code");
  EXPECT_EQ(Severities(model, RuleId::kTokenizerRefused), "off off off");
}

TEST(VocabularyClaimed, WithoutAVocabulary) {
  const auto severities = [](const char* tokenizer, std::uint32_t size) {
    Model model = Model().Set("general.architecture", "llama").Set("llama.vocab_size", size);
    model.Set(TokenizerKey("model"), tokenizer);
    return Severities(model, RuleId::kVocabularyClaimed);
  };
  EXPECT_EQ(severities("none", 2'000'001), "error error note");
  EXPECT_EQ(severities("no_vocab", UINT32_MAX), "error error note");
  EXPECT_EQ(severities("none", 2'000'000), "off off off");
  EXPECT_EQ(severities("llama", UINT32_MAX), "off off off");
}

}  // namespace
}  // namespace ggufgate::testing
