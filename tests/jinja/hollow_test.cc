#include "jinja/hollow.h"

#include <gtest/gtest.h>

#include <string>

#include "jinja/scope.h"

namespace ggufgate {
namespace {

// Outcome of a condition in a macro with the parameters s and t: a letter for each hollow argument
// of `s` (undefined, empty, plain): fails, holds or may do either.
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
  EXPECT_EQ(OutcomeOf("s"), "ffh");
  EXPECT_EQ(OutcomeOf("s.a"), "fff");
  EXPECT_EQ(OutcomeOf("s['a']['b']"), "fff");
  EXPECT_EQ(OutcomeOf("s[0]"), "ff?");
  EXPECT_EQ(OutcomeOf("s[1:]"), "ff?");
  EXPECT_EQ(OutcomeOf("s.get('a')"), "fff");
  EXPECT_EQ(OutcomeOf("s.get('a', {})"), "fff");
  EXPECT_EQ(OutcomeOf("s.get('a', 'b')"), "???");
  EXPECT_EQ(OutcomeOf("s.get('a', t)"), "???");
  EXPECT_EQ(OutcomeOf("s.a()"), "???");
  EXPECT_EQ(OutcomeOf("s|first"), "ff?");
  EXPECT_EQ(OutcomeOf("s|length"), "ffh");
  EXPECT_EQ(OutcomeOf("s|default('a')"), "???");
}

TEST(Hollow, Comparisons) {
  EXPECT_EQ(OutcomeOf("s == 'a'"), "ff?");
  EXPECT_EQ(OutcomeOf("s.a == 'a'"), "fff");
  EXPECT_EQ(OutcomeOf("s.a != 'a'"), "hhh");
  EXPECT_EQ(OutcomeOf("s == ''"), "f??");
  EXPECT_EQ(OutcomeOf("s == t"), "???");
  EXPECT_EQ(OutcomeOf("s.a|upper == 'A'"), "fff");
  EXPECT_EQ(OutcomeOf("s|length == 0"), "hhf");
  EXPECT_EQ(OutcomeOf("s|length == 2"), "ff?");
  EXPECT_EQ(OutcomeOf("s|length > 0"), "ffh");
  EXPECT_EQ(OutcomeOf("s|length >= 1"), "ffh");
  EXPECT_EQ(OutcomeOf("s|length < 2"), "???");
  EXPECT_EQ(OutcomeOf("'a' in s"), "ff?");
  EXPECT_EQ(OutcomeOf("'a' not in s"), "hh?");
  EXPECT_EQ(OutcomeOf("s.a in ['b', 'c']"), "fff");
  EXPECT_EQ(OutcomeOf("s in ['b', '']"), "???");
  EXPECT_EQ(OutcomeOf("s.a in t"), "???");
}

TEST(Hollow, Tests) {
  EXPECT_EQ(OutcomeOf("s is defined"), "fhh");
  EXPECT_EQ(OutcomeOf("s is not defined"), "hff");
  EXPECT_EQ(OutcomeOf("s is undefined"), "hff");
  EXPECT_EQ(OutcomeOf("s is mapping"), "f?f");
  EXPECT_EQ(OutcomeOf("s is string"), "f??");
  EXPECT_EQ(OutcomeOf("s is iterable"), "???");
  EXPECT_EQ(OutcomeOf("s is none"), "f?f");
  EXPECT_EQ(OutcomeOf("s is eq('a')"), "???");
}

TEST(Hollow, JoinedConditions) {
  EXPECT_EQ(OutcomeOf("not s.a"), "hhh");
  EXPECT_EQ(OutcomeOf("s.a and x"), "fff");
  EXPECT_EQ(OutcomeOf("x and s.a and y"), "fff");
  EXPECT_EQ(OutcomeOf("s.a or x"), "???");
  EXPECT_EQ(OutcomeOf("s.a or s.b"), "fff");
  EXPECT_EQ(OutcomeOf("x or not s.a"), "hhh");
  EXPECT_EQ(OutcomeOf("not (s.a or x)"), "???");
  EXPECT_EQ(OutcomeOf("not (s.a and x)"), "hhh");
  EXPECT_EQ(OutcomeOf("(s.a or (s.b)) and (x or y)"), "fff");
  EXPECT_EQ(OutcomeOf("s.a and x or y"), "???");
  EXPECT_EQ(OutcomeOf("s.a if x else y"), "???");
  EXPECT_EQ(OutcomeOf("t.a"), "???");
  EXPECT_EQ(OutcomeOf("x"), "???");
}

// Nothing is sure of what cannot be read.
TEST(Hollow, Mistakes) {
  for (const char* condition :
       {"",       "not",          "s and",    "and s",  "(s",           "s)",
        "s s",    "s.a ==",       "s[",       "s.",     "s|",           "in s",
        "'a' in", "s is",         "s is not", "(s)(t)", "s == 'a' 'b'", "s.a in [",
        "s.a in", "'a' 'b' in s", "not not",  "()",     "s or or s"}) {
    EXPECT_EQ(OutcomeOf(condition), "???") << condition;
  }
  EXPECT_EQ(OutcomeOf("((((s.a))))"), "fff");
}

}  // namespace
}  // namespace ggufgate
