// White space and tokens of Jinja's code.

#include "jinja/syntax/tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

std::vector<std::string_view> TokensOf(std::string_view text) {
  std::vector<std::string_view> tokens;
  JinjaSpan span;
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    for (const JinjaToken& token : span.tokens) tokens.push_back(token.text);
  }
  return tokens;
}

TEST(SpaceAt, KnowsTheWhiteSpaceOfUnicode) {
  for (const std::string_view space :
       {" ", "\t", "\r", "\x1C", "\x1F", "\xC2\x85", "\xC2\xA0", "\xE1\x9A\x80", "\xE2\x80\x80",
        "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
        "\xE3\x80\x80"}) {
    EXPECT_EQ(SpaceAt(space, 0), space.size());
    EXPECT_EQ(SpaceAt(space, space.size()), 0U);
  }
  for (const std::string_view other :
       {"a", "\x08", "\x0E", "\x1B", "!", "\xC2\x84", "\xC2", "\xE1\x9A\x81", "\xE2\x7F",
        "\xE2\x80", "\xE2\x80\x7F", "\xE2\x80\x8B", "\xE2\x80\xA7", "\xE2\x80\xAA", "\xE2\x80\xAE",
        "\xE2\x80\xB0", "\xE2\x81\x9E", "\xE3\x80\x81", "\xC3\xA0"}) {
    EXPECT_EQ(SpaceAt(other, 0), 0U) << other;
  }
}

TEST(JinjaTokens, AreParted) {
  EXPECT_THAT(TokensOf("a{{ b.c|d }}"), ElementsAre("b", ".", "c", "|", "d"));
  EXPECT_THAT(TokensOf("{{ b\xC2\xA0"
                       "c\xC3\xA9 }}"),
              ElementsAre("b", "c\xC3\xA9"));
  EXPECT_THAT(TokensOf("{{ a**b//c >= '}}' }}"),
              ElementsAre("a", "**", "b", "//", "c", ">=", "'}}'"));
}

TEST(JinjaTokens, Numbers) {
  EXPECT_THAT(TokensOf("{{ 1_000 1__0 }}"), ElementsAre("1_000", "1", "__0"));
  EXPECT_THAT(TokensOf("{{ 0x1F 0o17 0b11 0B1 0c1 }}"),
              ElementsAre("0x1F", "0o17", "0b11", "0B1", "0", "c1"));
  EXPECT_THAT(TokensOf("{{ 0x1\xC3\xA9 }}"), ElementsAre("0x1", "\xC3\xA9"));
  EXPECT_THAT(TokensOf("{{ 0x1"), ElementsAre("0x1"));
  EXPECT_THAT(TokensOf("{{ 1e9 1e+9 1.5E-9 }}"), ElementsAre("1e9", "1e+9", "1.5E-9"));
  EXPECT_THAT(TokensOf("{{ 1e 1e+ 1.x }}"), ElementsAre("1", "e", "1", "e", "+", "1", ".", "x"));
}

TEST(JinjaTokens, RawTextEndsAtItsTag) {
  for (const char* end : {"{% endraw %}", "{%- endraw -%}", "{%+ endraw +%}", "{%endraw%}"}) {
    EXPECT_THAT(TokensOf("{% raw %}{{ a }}" + std::string(end) + "{{ b }}"), ElementsAre("b"))
        << end;
  }
  EXPECT_THAT(TokensOf("{% raw %}{{ a }}{% endraw x %}{% endraw %}{{ b }}"), ElementsAre("b"));
  // Jinja does not accept a plus at the end of the opening tag, so code follows.
  EXPECT_THAT(TokensOf("{% raw +%}{{ a }}"), ElementsAre("raw", "a"));
}

TEST(JinjaToken, IsAWordOnlyOutsideOfStrings) {
  using Kind = JinjaToken::Kind;
  EXPECT_TRUE((JinjaToken{.kind = Kind::kName, .text = "if"}.Is("if")));
  EXPECT_TRUE((JinjaToken{.kind = Kind::kOperator, .text = "("}.Is("(")));
  EXPECT_FALSE((JinjaToken{.kind = Kind::kString, .text = "if"}.Is("if")));
  EXPECT_FALSE((JinjaToken{.kind = Kind::kName, .text = "iff"}.Is("if")));
}

}  // namespace
}  // namespace ggufgate::testing
