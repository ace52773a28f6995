#include "jinja/hollow/hollow.h"

#include <gtest/gtest.h>

#include <string>

#include "jinja/scope.h"

namespace ggufgate {
namespace {

// OutcomeOf returns the outcome of a condition in a macro with the parameters s and t: a letter for
// each hollow argument of `s` (undefined, empty, plain, typed). It fails, holds or may do either.
std::string OutcomeOf(const std::string& condition) {
  const std::string text = "{{ " + condition + " s t w }}";
  JinjaSpan room;
  TemplateScope scope(text, room);
  scope.BeginReading();
  scope.macro = scope.SlotOf("w");
  scope.SetParameters(*scope.DefineMacro("w"), {"s", "t"});
  JinjaSpan span;
  JinjaLexer lexer(text);
  EXPECT_TRUE(lexer.Next(span));
  const HollowOutcome outcome =
      TryHollow(JinjaTokens(span.tokens).first(span.tokens.size() - 3), scope);
  std::string letters;
  for (std::size_t kind = 0; kind < kHollows; ++kind) {
    const bool fails = (outcome.fails.of.at(0) >> kind & 1) != 0;
    const bool holds = (outcome.holds.of.at(0) >> kind & 1) != 0;
    letters += fails && holds ? '!' : fails ? 'f' : holds ? 'h' : '?';
  }
  return letters;
}

TEST(Hollow, Paths) {
  EXPECT_EQ(OutcomeOf("s"), "ffhh");
  EXPECT_EQ(OutcomeOf("s.a"), "ffff");
  EXPECT_EQ(OutcomeOf("s['a']['b']"), "ffff");
  EXPECT_EQ(OutcomeOf("s[0]"), "ff??");
  EXPECT_EQ(OutcomeOf("s[1:]"), "ff??");
  EXPECT_EQ(OutcomeOf("s.get('a')"), "ffff");
  EXPECT_EQ(OutcomeOf("s.get('a', {})"), "ffff");
  EXPECT_EQ(OutcomeOf("s.get('a', 'b')"), "????");
  EXPECT_EQ(OutcomeOf("s.get('a', t)"), "????");
  EXPECT_EQ(OutcomeOf("s.a()"), "????");
  EXPECT_EQ(OutcomeOf("s|first"), "ff??");
  EXPECT_EQ(OutcomeOf("s|length"), "ffhh");
  EXPECT_EQ(OutcomeOf("s|default('a')"), "????");
}

TEST(Hollow, Comparisons) {
  EXPECT_EQ(OutcomeOf("s == 'a'"), "ff??");
  EXPECT_EQ(OutcomeOf("s.a == 'a'"), "ffff");
  EXPECT_EQ(OutcomeOf("s.a != 'a'"), "hhhh");
  EXPECT_EQ(OutcomeOf("s == ''"), "f???");
  EXPECT_EQ(OutcomeOf("s == t"), "????");
  EXPECT_EQ(OutcomeOf("s.a|upper == 'A'"), "ffff");
  EXPECT_EQ(OutcomeOf("s|length == 0"), "hhff");
  EXPECT_EQ(OutcomeOf("s|length == 2"), "ff??");
  EXPECT_EQ(OutcomeOf("s|length > 0"), "ffhh");
  EXPECT_EQ(OutcomeOf("s|length >= 1"), "ffhh");
  EXPECT_EQ(OutcomeOf("s|length < 2"), "????");
  EXPECT_EQ(OutcomeOf("'a' in s"), "ff?f");
  EXPECT_EQ(OutcomeOf("'a' not in s"), "hh?h");
  EXPECT_EQ(OutcomeOf("s.a in ['b', 'c']"), "ffff");
  EXPECT_EQ(OutcomeOf("s in ['b', '']"), "????");
  EXPECT_EQ(OutcomeOf("s.a in t"), "????");
}

TEST(Hollow, Tests) {
  EXPECT_EQ(OutcomeOf("s is defined"), "fhhh");
  EXPECT_EQ(OutcomeOf("s is not defined"), "hfff");
  EXPECT_EQ(OutcomeOf("s is undefined"), "hfff");
  EXPECT_EQ(OutcomeOf("s is mapping"), "f?fh");
  EXPECT_EQ(OutcomeOf("s is string"), "f???");
  EXPECT_EQ(OutcomeOf("s is iterable"), "????");
  EXPECT_EQ(OutcomeOf("s is none"), "f?ff");
  EXPECT_EQ(OutcomeOf("s is eq('a')"), "????");
}

TEST(Hollow, JoinedConditions) {
  EXPECT_EQ(OutcomeOf("not s.a"), "hhhh");
  EXPECT_EQ(OutcomeOf("s.a and x"), "ffff");
  EXPECT_EQ(OutcomeOf("x and s.a and y"), "ffff");
  EXPECT_EQ(OutcomeOf("s.a or x"), "????");
  EXPECT_EQ(OutcomeOf("s.a or s.b"), "ffff");
  EXPECT_EQ(OutcomeOf("x or not s.a"), "hhhh");
  EXPECT_EQ(OutcomeOf("not (s.a or x)"), "????");
  EXPECT_EQ(OutcomeOf("not (s.a and x)"), "hhhh");
  EXPECT_EQ(OutcomeOf("(s.a or (s.b)) and (x or y)"), "ffff");
  EXPECT_EQ(OutcomeOf("s.a and x or y"), "????");
  EXPECT_EQ(OutcomeOf("s.a if x else y"), "????");
  EXPECT_EQ(OutcomeOf("t.a"), "????");
  EXPECT_EQ(OutcomeOf("x"), "????");
}

// {'type': 'any'} is a dictionary with one key, and its text is a separate text.
TEST(Hollow, Typed) {
  const auto typed = [](const std::string& condition) { return OutcomeOf(condition).back(); };
  EXPECT_EQ(typed("s.type"), 'h');
  EXPECT_EQ(typed("s.type == 'object'"), 'f');
  EXPECT_EQ(typed("s['type'] != 'object'"), 'h');
  EXPECT_EQ(typed("s.type == 'any'"), 'h');
  EXPECT_EQ(typed("s.get('type') == 'object'"), 'f');
  EXPECT_EQ(typed("s.get('type', 'b') == 'any'"), '?');
  EXPECT_EQ(typed("s.get('zz')"), 'f');
  EXPECT_EQ(typed("s.type in ['object', 'array']"), 'f');
  EXPECT_EQ(typed("s.type in ['object', 'any']"), '?');
  EXPECT_EQ(typed("'type' in s"), 'h');
  EXPECT_EQ(typed("'items' in s"), 'f');
  EXPECT_EQ(typed("s.type is defined"), 'h');
  // These have no certain outcome.
  EXPECT_EQ(typed("s.items"), '?');
  EXPECT_EQ(typed("s.type|upper == 'ANY'"), '?');
  EXPECT_EQ(typed("s.type[0] == 'b'"), '?');
  EXPECT_EQ(typed("s.type == 'o\\x62ject'"), '?');
  EXPECT_EQ(typed("s['ty\\x70e'] == 'any'"), '?');
  EXPECT_EQ(typed("'typ\\x65' in s"), '?');
}

// A condition that cannot be parsed has no certain outcome.
TEST(Hollow, Mistakes) {
  for (const char* condition :
       {"",       "not",          "s and",    "and s",  "(s",           "s)",
        "s s",    "s.a ==",       "s[",       "s.",     "s|",           "in s",
        "'a' in", "s is",         "s is not", "(s)(t)", "s == 'a' 'b'", "s.a in [",
        "s.a in", "'a' 'b' in s", "not not",  "()",     "s or or s"}) {
    EXPECT_EQ(OutcomeOf(condition), "????") << condition;
  }
  EXPECT_EQ(OutcomeOf("((((s.a))))"), "ffff");
}

}  // namespace
}  // namespace ggufgate
