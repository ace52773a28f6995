// Rule vocabulary-utf8.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

Model ModelWithToken(const char* tokenizer, const std::string& text, std::int32_t type = 1) {
  std::vector<std::string> tokens = Numbered(12);
  tokens.push_back(text);
  std::vector<std::int32_t> types(13, 1);
  types.back() = type;
  return WithTokens(tokenizer, tokens).Set(TokenizerKey("token_type"), types);
}

std::string SeveritiesOf(const Model& model) { return Severities(model, RuleId::kVocabularyUtf8); }

TEST(VocabularyUtf8, BytesThatAreNoCharacter) {
  for (const char* text :
       {"a\x80", "\xFF", "a\xC3", "\xE6\x97", "\xF0\x9F\x98", "\xC1\x81", "\xE0\x82\x80",
        "\xF0\x82\x80\x80", "\xF4\x90\x80\x80", "\xC3\xC3", "\xE6\x97\x41", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(SeveritiesOf(ModelWithToken("plamo2", text)), "error error note");
  }
  for (const char* text : {"", "a", "\xC2\x80", "\xE6\x97\xA5", "\xE0\xA0\x80", "\xEF\xBF\xBD",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xED\xA0\x80"}) {
    EXPECT_EQ(SeveritiesOf(ModelWithToken("plamo2", text)), "off off off");
  }
}

TEST(VocabularyUtf8, PointsAtTheByte) {
  const Model model = ModelWithToken("plamo2", "ab\x80");
  const Finding finding = Judge(model).Only(RuleId::kVocabularyUtf8);
  EXPECT_EQ(finding.subject.element, 12U);
  EXPECT_EQ(finding.where.size, 1U);
  EXPECT_EQ(finding.observed, Text("ab\x80"));
}

TEST(VocabularyUtf8, NobodyElseCutsTokens) {
  for (const char* tokenizer : {"llama", "gpt2", "bert", "t5", "rwkv", "none"}) {
    EXPECT_EQ(SeveritiesOf(ModelWithToken(tokenizer, "a\x80")), "off off off") << tokenizer;
  }
  EXPECT_EQ(SeveritiesOf(ModelWithToken("plamo2", "a\x80", 6)), "off off off");
}

}  // namespace
}  // namespace ggufgate::testing
