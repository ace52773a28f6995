// Rule vocabulary-cost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

// The reported steps under a limit of one, or 0 without a finding. The first 4,096 of each token
// are free.
std::uint64_t StepsOf(const Model& model) {
  Policy policy;
  policy.limits.vocabulary_steps = 0;
  policy.findings_per_rule = 1;
  const std::vector<Finding> findings = FindingsOf(Judge(model, policy), RuleId::kVocabularyCost);
  return findings.empty() ? 0 : std::get<std::uint64_t>(findings.front().observed);
}

std::uint64_t StepsOf(const char* tokenizer, const std::string& text) {
  std::vector<std::string> tokens = Numbered(12);
  tokens.push_back(text);
  return StepsOf(WithTokens(tokenizer, tokens));
}

std::string Repeated(const char* text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(VocabularyCost, OfPlamo2IsBytesTimesCharactersSquared) {
  EXPECT_EQ(StepsOf("plamo2", std::string(16, 'a')), 0U);
  EXPECT_EQ(StepsOf("plamo2", std::string(17, 'a')), 17U * 17 * 17 - 4096);
  EXPECT_EQ(StepsOf("plamo2", Repeated("\xE6\x97\xA5", 20)), 60U * 20 * 20 - 4096);
}

TEST(VocabularyCost, OfBytePairsIsBytesTimesForeignCharacters) {
  EXPECT_EQ(StepsOf("gpt2", std::string(1000, 'a')), 0U);
  EXPECT_EQ(StepsOf("gpt2", std::string(100, ' ')), 100U * 100 - 4096);
  EXPECT_EQ(StepsOf("gpt2", Repeated("\xC4\xA0", 500)), 0U);  // a blank as a letter
  EXPECT_EQ(StepsOf("gpt2", Repeated("\xC5\x83", 500)), 0U);  // U+0143, the last of the letters
  EXPECT_EQ(StepsOf("gpt2", Repeated("\xC5\x84", 100)), 200U * 100 - 4096);
  EXPECT_EQ(StepsOf("gpt2", Repeated("\xC2\xAD", 100)), 200U * 100 - 4096);
  EXPECT_EQ(StepsOf("gpt2", Repeated("\xE6\x97\xA5", 100)), 300U * 100 - 4096);
}

TEST(VocabularyCost, NoOtherPays) {
  const std::string blanks(1000, ' ');
  for (const char* tokenizer : {"llama", "t5", "bert", "rwkv", "gemma4", "none"}) {
    EXPECT_EQ(StepsOf(tokenizer, blanks), 0U) << tokenizer;
  }
  std::vector<std::string> tokens = Numbered(12);
  tokens.push_back(blanks);
  std::vector<std::int32_t> types(13, 1);
  types.back() = 4;  // used unchanged
  Model model = WithTokens("gpt2", tokens).Set(TokenizerKey("token_type"), types);
  EXPECT_EQ(StepsOf(model), 0U);
  model.Set(TokenizerKey("pre"), "sarvam-moe");  // its tokens are text
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>(13, 1));
  EXPECT_EQ(StepsOf(model), 0U);
}

TEST(VocabularyCost, CountsAllTogether) {
  std::vector<std::string> tokens = Numbered(12);
  for (char c = 'a'; c < 'e'; ++c) tokens.emplace_back(400, c);
  const Model model = WithTokens("plamo2", tokens);
  const Finding finding = Judge(model).Only(RuleId::kVocabularyCost);
  EXPECT_EQ(finding.subject.element, 13U);
  EXPECT_EQ(finding.observed, Number(2 * (std::uint64_t{400} * 400 * 400 - 4096)));
  EXPECT_EQ(finding.allowed, Number(100'000'000));
  EXPECT_EQ(Severities(model, RuleId::kVocabularyCost), "error error note");
}

}  // namespace
}  // namespace ggufgate::testing
