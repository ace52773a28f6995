// Rule string-nul, and that a NUL does not help to evade a rule about words.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using namespace std::string_literals;

using Strings = std::vector<std::string>;

TEST(StringNul, IsAnErrorWhereLoadersActOnTheText) {
  for (const char* key : {"general.type", "tokenizer.ggml.pre", "tokenizer.chat_template.x",
                          "adapter.note", "clip.note", "split.note", "imatrix.note"}) {
    const Model model = Model().Set(key, "ab\0c"s);
    EXPECT_THAT(Judge(model).Rules(), Contains("string-nul")) << key;
    const Finding finding = Judge(model).Only(RuleId::kStringNul);
    EXPECT_THAT(finding, Tells({ValueAt(model, 0) + 8 + 2, 1}, Number(2)));
    EXPECT_EQ(WordingOf(finding), StringNulWording::kOne);
    EXPECT_EQ(Severities(model, RuleId::kStringNul), "error error warning") << key;
    EXPECT_THAT(Judge(Model().Set(key, "abc"s)).Rules(), Not(Contains("string-nul")));
  }
}

TEST(StringNul, IsAWarningElsewhere) {
  for (const char* key : {"general.name", "k.a", "general.architecture_", "tokenizers.x"}) {
    const Model model = Model().Set(key, "ab\0"s);
    EXPECT_THAT(Judge(model).Rules(), Contains("string-nul"));
    EXPECT_EQ(Severities(model, RuleId::kStringNul), "warning warning warning") << key;
  }
  EXPECT_THAT(Judge(Model().Set(kKey, ""s)).Rules(), IsEmpty());
}

TEST(StringNul, KeysOfTheArchitectureAreActedOn) {
  const auto severities = [](const std::string& architecture, const char* key) {
    return Severities(Model().Set("general.architecture", architecture).Set(key, "a\0"s),
                      RuleId::kStringNul);
  };
  EXPECT_EQ(severities("llama", "llama.note"), "error error warning");
  EXPECT_EQ(severities("llama", "llamas.note"), "warning warning warning");
  EXPECT_EQ(severities("llama", "bert.note"), "warning warning warning");
}

TEST(StringNul, OfElements) {
  const Model model = Model().Set(kKey, Strings{"ab", "c\0d"s, "", "\0"s});
  const Judged judged = Judge(model);
  EXPECT_THAT(judged.Rules(), ElementsAre("string-nul"));
  const Finding finding = judged.Only(RuleId::kStringNul);
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\" element 1");
  EXPECT_THAT(finding, Tells({ValueAt(model, 0) + 12 + 10 + 8 + 1, 1}, Number(1), Number(2)));
  EXPECT_EQ(WordingOf(finding), StringNulWording::kSeveral);
  EXPECT_EQ(Severities(model, RuleId::kStringNul), "warning warning warning");
}

// The quick check counts zeros: every length, short, empty and wide, at every position next to a
// NUL.
TEST(StringNul, BesideLengthsOfAllKinds) {
  for (const std::size_t size : {0U, 1U, 127U, 128U, 255U, 256U, 257U, 65535U, 65536U}) {
    const std::string other(size, 'x');
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      const auto fires = [&](const Strings& strings) {
        Model model;
        model.byte_order = order;
        const std::vector<std::string> rules = Judge(model.Set(kKey, strings)).Rules();
        return std::ranges::count(rules, "string-nul") == 1;
      };
      EXPECT_FALSE(fires({other, "a", other})) << size;
      EXPECT_TRUE(fires({other, "a\0"s, other})) << size;
      EXPECT_TRUE(fires({other + "\0"s})) << size;
      EXPECT_TRUE(fires({"\0"s + other, ""})) << size;
    }
  }
  // A length of 256 has one zero fewer than that of 1: this must not compensate for the NUL.
  EXPECT_THAT(Judge(Model().Set(kKey, Strings{std::string(256, 'x'), "a\0"s})).Rules(),
              ElementsAre("string-nul"));
}

TEST(StringNul, WordsAreComparedUpToIt) {
  const auto rules = [](const std::string& architecture) {
    return Judge(Model()
                     .Set("general.architecture", architecture)
                     .Set("llama.block_count", std::uint32_t{1})
                     .Set("llama.embedding_length", std::uint32_t{0}))
        .Rules();
  };
  std::vector<std::string> expected = rules("llama");
  ASSERT_THAT(expected, Not(IsEmpty()));
  const std::vector<std::string> found = rules("llama\0"s);
  for (const std::string& rule : expected) EXPECT_THAT(found, Contains(rule));
}

}  // namespace
}  // namespace ggufgate::testing
