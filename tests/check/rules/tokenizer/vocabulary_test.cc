// Rules about the tokens themselves: vocabulary-byte-tokens, byte-token, token-length,
// token-duplicate.

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/vocabularies.h"

namespace ggufgate::testing {
namespace {

using Tokens = std::vector<std::string>;

Model SentencePiece(const Tokens& bytes) {
  Tokens tokens = {"<unk>", "<s>", "</s>"};
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  return WithTokens("llama", tokens);
}

// The range of a token's text, computed from the format.
ByteRange TextOf(const Model& model, const Tokens& tokens, std::size_t index) {
  std::uint64_t at = ValueAt(model, 1) + 12;
  for (std::size_t i = 0; i < index; ++i) at += 8 + tokens.at(i).size();
  return {at + 8, tokens.at(index).size()};
}

TEST(VocabularyByteTokens, NoneAtAll) {
  const Model model = SentencePiece({"a"});
  const Finding finding = SoleFinding(model, RuleId::kVocabularyByteTokens);
  // `a` represents itself.
  EXPECT_THAT(finding, Tells({ValueAt(model, 1) + 4, 8}, Number(255), _, Text("<0x00>")));
  EXPECT_EQ(WordingOf(finding), VocabularyByteTokensWording::kNone);
  EXPECT_EQ(Severities(model, RuleId::kVocabularyByteTokens), "error error warning");
}

TEST(VocabularyByteTokens, OneIsEnough) {
  Tokens bytes = AllByteTokens();
  EXPECT_THAT(RulesFired(SentencePiece(bytes)), IsEmpty());
  bytes.at(0xAB) = "<0xab>";
  const Model model = SentencePiece(bytes);
  EXPECT_EQ(Severities(model, RuleId::kVocabularyByteTokens), "error error warning");
  const Finding finding = Judge(model).Only(RuleId::kVocabularyByteTokens);
  EXPECT_EQ(finding.observed, Number(1));
  EXPECT_EQ(finding.other, Text("<0xAB>"));
  EXPECT_EQ(WordingOf(finding), VocabularyByteTokensWording::kSome);
  bytes.at(0xAB) = "\xAB";  // the byte itself is valid as well
  EXPECT_THAT(RulesFired(SentencePiece(bytes)), IsEmpty());
}

TEST(VocabularyByteTokens, OnlyOfSentencePiece) {
  EXPECT_THAT(RulesFired(BytePairs()), IsEmpty());
  EXPECT_THAT(RulesFired(WithTokens("t5", Numbered(3))), IsEmpty());
}

TEST(ByteToken, OfAnotherForm) {
  for (const char* text : {"a", "<0xGG>", "<0x0G>", "<0x0A", "<0x0A>>", "(0x0A>", "<0x0A)"}) {
    const Tokens tokens = {"t0", text, "t2"};
    Model model = WithTokens("t5", tokens);
    model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 6, 1});
    EXPECT_THAT(RulesFired(model), ElementsAre("byte-token")) << text;
    const Finding finding = Judge(model).Only(RuleId::kByteToken);
    EXPECT_THAT(finding, Tells(TextOf(model, tokens, 1), Text(text)));
    EXPECT_EQ(Describe(finding.subject), "metadata 1 \"tokenizer.ggml.tokens\" element 1");
    EXPECT_EQ(WordingOf(finding), ByteTokenWording::kForm);
    EXPECT_EQ(Severities(model, RuleId::kByteToken), "error error warning");
    model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{6, 1, 1});
    EXPECT_EQ(Judge(model).Only(RuleId::kByteToken).subject.element, 0U);
  }
  for (const char* text : {"<0x09>", "<0xAf>", "<0xaF>"}) {
    Model model = WithTokens("t5", {"t0", "t1", text});
    model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 1, 6});
    EXPECT_THAT(RulesFired(model), IsEmpty()) << text;
  }
}

TEST(ByteToken, OfNoTextPointsAtItsLength) {
  Model model = WithTokens("t5", {"t0", "t1", ""});
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 1, 6});
  EXPECT_EQ(Judge(model).Only(RuleId::kByteToken).where,
            (ByteRange{ValueAt(model, 1) + 12 + 20, 8}));
}

TEST(ByteToken, DependsOnTheTokenizer) {
  const auto severities = [](const char* tokenizer, const char* text) {
    Model model = WithTokens(tokenizer, {"t0", "t1", "t2", text});
    model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 1, 1, 6});
    return Severities(model, RuleId::kByteToken);
  };
  EXPECT_EQ(severities("bert", "<0x41>"), "error error warning");
  EXPECT_EQ(severities("llama", "q"), "error error warning");
  EXPECT_EQ(severities("gpt2", "q"), "error error warning");
  EXPECT_EQ(severities("plamo2", "q"), "error warning warning");
  EXPECT_EQ(severities("rwkv", "q"), "warning warning warning");
  EXPECT_EQ(severities("unheard-of", "q"), "warning warning warning");
  EXPECT_EQ(severities("rwkv", "<0x41>"), "off off off");
}

TEST(ByteToken, WordPieceHasNone) {
  Model model = WithTokens("bert", {"t0", "<0x41>"});
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 6});
  const Finding finding = Judge(model).Only(RuleId::kByteToken);
  EXPECT_EQ(WordingOf(finding), ByteTokenWording::kWordPiece);
  EXPECT_EQ(finding.observed, Text("<0x41>"));
}

TEST(ByteToken, TypesMayBeFewerOrAbsent) {
  Model model = WithTokens("t5", Numbered(3));
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{6});
  EXPECT_THAT(RulesFired(model), ElementsAre("byte-token", "tokenizer-array-length"));
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kByteToken), 1U);
}

TEST(ByteToken, InBigEndianFiles) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set(TokenizerKey("model"), "t5").Set(TokenizerKey("tokens"), Numbered(3));
  model.Set(TokenizerKey("token_type"), std::vector<std::int32_t>{1, 6, 1});
  Policy policy;
  policy.target = TargetOrder::kBig;
  EXPECT_THAT(RulesFired(model, policy), ElementsAre("byte-token"));
}

TEST(TokenLength, OneByteTooLong) {
  const Tokens tokens = {"a", std::string(65'537, 'x'), "b"};
  const Model model = WithTokens("t5", tokens);
  const Finding finding = SoleFinding(model, RuleId::kTokenLength);
  EXPECT_THAT(finding,
              Tells({TextOf(model, tokens, 1).begin - 8, 8}, Number(65'537), Number(65'536)));
  EXPECT_EQ(finding.subject.element, 1U);
  EXPECT_EQ(Severities(model, RuleId::kTokenLength), "error warning note");
  EXPECT_THAT(RulesFired(WithTokens("t5", {"a", std::string(65'536, 'x'), "b"})), IsEmpty());
}

TEST(TokenLength, OfWordPieceIsLess) {
  Tokens tokens = Numbered(103);
  tokens.emplace_back(1024, 'x');
  EXPECT_THAT(RulesFired(WithTokens("bert", tokens)), IsEmpty());
  tokens.back() += 'x';
  EXPECT_EQ(Severities(WithTokens("bert", tokens), RuleId::kTokenLength), "error error note");
  EXPECT_THAT(RulesFired(WithTokens("t5", tokens)), IsEmpty());
}

TEST(TokenDuplicate, NamesTheFirst) {
  const Tokens tokens = {"b", "a", "", "a", "c", "", "a", "A"};
  const Model model = WithTokens("t5", tokens);
  EXPECT_THAT(RulesFired(model), ElementsAre("token-duplicate"));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kTokenDuplicate);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_THAT(findings[0], Tells(TextOf(model, tokens, 3), Text("a"), _, Number(1)));
  EXPECT_EQ(findings[0].subject.element, 3U);
  EXPECT_EQ(findings[1].subject.element, 6U);
  EXPECT_EQ(findings[1].other, Number(1));
  EXPECT_EQ(Severities(model, RuleId::kTokenDuplicate), "error error warning");
}

TEST(TokenDuplicate, KillsWhereTokensAreRead) {
  const auto severities = [](const char* tokenizer) {
    return Severities(WithTokens(tokenizer, {"a", "b", "a"}), RuleId::kTokenDuplicate);
  };
  for (const char* tokenizer : {"llama", "gpt2", "bert", "t5", "rwkv", "plamo2", "test"}) {
    EXPECT_EQ(severities(tokenizer), "error error warning") << tokenizer;
  }
  EXPECT_EQ(severities("gemma4"), "warning error warning");  // like its official files
  for (const char* tokenizer : {"none", "no_vocab", "unheard-of"}) {
    EXPECT_EQ(severities(tokenizer), "warning warning warning") << tokenizer;
  }
}

// Readers in C end a token at its first NUL.
TEST(TokenDuplicate, UpToANul) {
  using namespace std::string_literals;
  const auto repeats = [](const Tokens& tokens) {
    return TotalOf(Judge(WithTokens("llama", tokens)), RuleId::kTokenDuplicate);
  };
  EXPECT_EQ(repeats({"A", "A\0b"s, "B"}), 1U);
  EXPECT_EQ(repeats({"A\0b"s, "A\0c"s, "A"}), 2U);
  EXPECT_EQ(repeats({"A\0b"s, "A\0b"s}), 1U);
  EXPECT_EQ(repeats({"AB", "A", "A\0B"s}), 1U);
  EXPECT_EQ(repeats({"A", "B\0b"s, "\0A"s, "\0B"s}), 0U) << "they differ, or are empty";
  EXPECT_EQ(Severities(WithTokens("rwkv", {"A", "A\0b"s}), RuleId::kTokenDuplicate),
            "error error warning");
}

// llama.cpp names an empty token by its number.
TEST(TokenDuplicate, OfTheNameOfAnEmptyToken) {
  const auto severities = [](const Tokens& tokens) {
    return Severities(WithTokens("t5", tokens), RuleId::kTokenDuplicate);
  };
  EXPECT_EQ(severities({"a", "", "[EMPTY_1]"}), "error error warning");
  EXPECT_EQ(severities({"[EMPTY_2]", "b", ""}), "error error warning");
  for (const char* text :
       {"[EMPTY_0]", "[EMPTY_9]", "[EMPTY_01]", "[EMPTY_]", "[EMPTY_1", "[EMPTY_+1]", "[EMPTY_1x]",
        "[EMPTY_1]]", "[EMPTY_18446744073709551617]"}) {
    EXPECT_EQ(severities({"a", "", text}), "off off off") << text;
  }
  EXPECT_EQ(severities({"a", "b", "[EMPTY_1]"}), "off off off");
}

// Random vocabularies with few and with many repeats, of short and long texts, in both byte orders,
// compared with a pairwise search.
TEST(TokenDuplicate, IsWhatANaiveSearchFinds) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    Tokens tokens;
    const std::size_t letters = 1 + random() % 40;
    for (std::size_t i = random() % 400; i > 0; --i) {
      std::string token(random() % (round % 2 == 0 ? 6 : 40), 'x');
      for (char& c : token) c = static_cast<char>('a' + random() % letters);
      tokens.push_back(token);
      if (random() % 50 == 0) tokens.push_back(tokens.at(random() % tokens.size()));
    }
    std::map<std::string, std::size_t> first;
    std::vector<std::pair<std::size_t, std::size_t>> expected;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto [found, is_new] = first.emplace(tokens[i], i);
      if (!is_new && !tokens[i].empty()) expected.emplace_back(i, found->second);
    }
    Model model;
    model.byte_order = round % 3 == 0 ? ByteOrder::kBig : ByteOrder::kLittle;
    model.Set(TokenizerKey("model"), "rwkv").Set(TokenizerKey("tokens"), tokens);
    Policy policy;
    policy.target = TargetOrder::kAny;
    policy.findings_per_rule = 1'000;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Finding& finding : FindingsOf(Judge(model, policy), RuleId::kTokenDuplicate)) {
      found.emplace_back(finding.subject.element, std::get<std::uint64_t>(finding.other));
    }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace ggufgate::testing
