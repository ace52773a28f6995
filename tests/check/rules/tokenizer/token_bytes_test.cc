// Rules about the bytes that a vocabulary can represent: vocabulary-byte-tokens of RWKV and PLaMo
// 2, vocabulary-first-bytes.

#include <gtest/gtest.h>

#include "format/tokenizers/tokenizer.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

using Tokens = std::vector<std::string>;

Model Rwkv(const Tokens& more, int without = -1) {
  Tokens tokens = EscapedBytes();
  if (without >= 0) tokens.at(static_cast<std::size_t>(without)) = "\\x00\\x00";
  tokens.insert(tokens.end(), more.begin(), more.end());
  return WithTokens("rwkv", tokens);
}

TEST(VocabularyFirstBytes, EachIsATokenItself) {
  EXPECT_THAT(RulesFired(Rwkv({"ab", "the", "\\r\\n", "\\\\x", "\\'"})), IsEmpty());
  const Model model = Rwkv({"ab", "bc"}, 'b');
  const Finding finding = SoleFinding(model, RuleId::kVocabularyFirstBytes);
  EXPECT_EQ(finding.subject.element, 257U);
  EXPECT_EQ(finding.observed, Text("bc"));
  EXPECT_EQ(finding.allowed, Number(1));
  EXPECT_EQ(finding.other, Text("<0x62>"));
  EXPECT_EQ(Severities(model, RuleId::kVocabularyFirstBytes), "error error warning");
}

// Decoded like llama_unescape_rwkv_token does.
TEST(VocabularyFirstBytes, OfWhatTheEscapesStandFor) {
  const auto fires = [](const char* text, int byte) {
    return Severities(Rwkv({text}, byte), RuleId::kVocabularyFirstBytes) != "off off off";
  };
  EXPECT_TRUE(fires("\\x62x", 'b'));
  EXPECT_TRUE(fires("\\bx", 'b'));
  EXPECT_TRUE(fires("\\nx", '\n'));
  EXPECT_TRUE(fires("\\tx", '\t'));
  EXPECT_TRUE(fires("\\rx", '\r'));
  EXPECT_TRUE(fires("\\\\x", '\\'));
  EXPECT_TRUE(fires("\\xffx", 0xFF));
  EXPECT_TRUE(fires("\\x:2x", 0xA2));  // `:` is ten past `0`
  EXPECT_FALSE(fires("b", 'b'));
  EXPECT_FALSE(fires("\\x62", 'b'));
  EXPECT_FALSE(fires("b\\", 'b'));  // an incomplete escape has no value
  EXPECT_FALSE(fires("b\\x6", 'b'));
  EXPECT_FALSE(fires("\\", '\\'));
  EXPECT_FALSE(fires("\\x", 'x'));
  EXPECT_TRUE(fires("", '['));  // llama.cpp calls it [EMPTY_256]
}

TEST(VocabularyByteTokens, OfRwkvUnlessUnknownTextHasAToken) {
  Model model = Rwkv({}, 'b');
  const Finding finding = SoleFinding(model, RuleId::kVocabularyByteTokens);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1) + 4, 8}, Number(1), _, Text("<0x62>")));
  EXPECT_EQ(WordingOf(finding), VocabularyByteTokensWording::kNoSuchByte);
  EXPECT_EQ(Severities(model, RuleId::kVocabularyByteTokens), "error error warning");
  model.Set(TokenizerKey("unknown_token_id"), kNoToken);
  EXPECT_EQ(Severities(model, RuleId::kVocabularyByteTokens), "error error warning");
  model.Set(TokenizerKey("unknown_token_id"), std::uint32_t{0});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(VocabularyByteTokens, OfPlamo2AreOfTypeByte) {
  Tokens tokens = Numbered(4);
  const Tokens bytes = AllByteTokens();
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  std::vector<std::int32_t> types(260, 6);
  std::fill_n(types.begin(), 4, 1);
  const auto with = [&] {
    return WithTokens("plamo2", tokens).Set(TokenizerKey("token_type"), types);
  };
  EXPECT_THAT(RulesFired(with()), IsEmpty());
  tokens.at(4 + 0xAB) = "<0xaB>";
  EXPECT_THAT(RulesFired(with()), IsEmpty());
  types.at(4 + 0xAB) = 1;
  const Finding finding = SoleFinding(with(), RuleId::kVocabularyByteTokens);
  EXPECT_EQ(WordingOf(finding), VocabularyByteTokensWording::kNoTypedByte);
  EXPECT_EQ(finding.other, Text("<0xAB>"));
  EXPECT_EQ(Severities(with(), RuleId::kVocabularyByteTokens), "warning error note");
  EXPECT_EQ(Judge(WithTokens("plamo2", tokens)).Only(RuleId::kVocabularyByteTokens).observed,
            Number(256));
}

// llama.cpp treats number 0 as missing.
TEST(VocabularyByteTokens, OfPlamo2AreNotTheFirst) {
  const Model model = WithTokens("plamo2", AllByteTokens())
                          .Set(TokenizerKey("token_type"), std::vector<std::int32_t>(256, 6));
  EXPECT_EQ(Judge(model).Only(RuleId::kVocabularyByteTokens).other, Text("<0x00>"));
}

TEST(VocabularyByteTokens, OfSentencePieceByteZeroNeedsItsForm) {
  Tokens tokens = {"<unk>", "<s>", "</s>"};
  Tokens bytes = AllByteTokens();
  bytes.at(0) = std::string(1, '\0');  // empty for readers in C
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  EXPECT_EQ(Judge(WithTokens("llama", tokens)).Only(RuleId::kVocabularyByteTokens).other,
            Text("<0x00>"));
}

}  // namespace
}  // namespace ggufgate::testing
