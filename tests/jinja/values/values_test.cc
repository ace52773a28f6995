// Constants of a template: numbers, joined texts, and limits of their cost.

#include "jinja/values/values.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::vector<std::string_view> TextsOf(const TemplateValue& value) {
  std::vector<std::string_view> texts;
  for (const Constant& item : value.items) texts.push_back(item.text);
  return texts;
}

TemplateValue OneOf(const std::vector<std::string_view>& texts) {
  TemplateValue value;
  for (const std::string_view text : texts) Absorb(value, TextValue(text));
  return value;
}

std::optional<std::int64_t> Calculated(std::int64_t a, std::string_view symbol, std::int64_t b) {
  TextStore store(1000, 1000);
  const TemplateValue value = Calculate(symbol, NumberValue(a), NumberValue(b), store);
  return value.items.empty() ? std::nullopt : value.items.front().number;
}

TEST(NumberOf, ReadsNumbersAsJinjaWritesThem) {
  EXPECT_EQ(NumberOf("1_000"), 1000);
  EXPECT_EQ(NumberOf("0xFf"), 255);
  EXPECT_EQ(NumberOf("0o17"), 15);
  EXPECT_EQ(NumberOf("0b101"), 5);
  EXPECT_EQ(NumberOf("0b2"), std::nullopt);
  EXPECT_EQ(NumberOf("0xg"), std::nullopt);
  EXPECT_EQ(NumberOf("0x:"), std::nullopt);
  EXPECT_EQ(NumberOf("12.75"), 12);
  EXPECT_EQ(NumberOf("12x"), 12);
  EXPECT_EQ(NumberOf("1.5e3"), 1000);  // the fraction is ignored: no count depends on it
  EXPECT_EQ(NumberOf("2e+3"), 2000);
  EXPECT_EQ(NumberOf("2e:"), 2);
  EXPECT_EQ(NumberOf("2e-3"), 2);
  EXPECT_EQ(NumberOf("1e18"), 1'000'000'000'000'000'000);
  EXPECT_EQ(NumberOf("1e19"), kLargest);
  EXPECT_EQ(NumberOf("1e99999999999999999999"), kLargest);
  EXPECT_EQ(NumberOf("99999999999999999999"), kLargest);
  EXPECT_EQ(NumberOf(""), std::nullopt);
  EXPECT_EQ(NumberOf("e3"), std::nullopt);
}

TEST(Calculate, Numbers) {
  EXPECT_EQ(Calculated(7, "+", 2), 9);
  EXPECT_EQ(Calculated(7, "-", 9), -2);
  EXPECT_EQ(Calculated(7, "*", 2), 14);
  EXPECT_EQ(Calculated(7, "//", 2), 3);
  EXPECT_EQ(Calculated(7, "/", 2), std::nullopt);  // a fraction
  EXPECT_EQ(Calculated(7, "%", 4), 3);
  EXPECT_EQ(Calculated(7, "~", 4), std::nullopt);
  EXPECT_EQ(Calculated(2, "**", 10), 1024);
  // Python rounds down.
  EXPECT_EQ(Calculated(-7, "//", 2), -4);
  EXPECT_EQ(Calculated(7, "//", -2), -4);
  EXPECT_EQ(Calculated(-7, "%", 9), 2);
  EXPECT_EQ(Calculated(7, "%", -9), -2);
  EXPECT_EQ(Calculated(-8, "%", 4), 0);
}

// None of these overflows. A result that is too large stays so, and gets no other finding.
TEST(Calculate, NumbersAtTheirBounds) {
  EXPECT_EQ(Calculated(kLargest, "*", kLargest), kLargest);
  EXPECT_EQ(Calculated(kLargest, "*", -2), std::nullopt);
  EXPECT_EQ(Calculated(kLargest, "%", 7), std::nullopt);
  EXPECT_EQ(Calculated(kLargest, "-", 7), std::nullopt);
  EXPECT_EQ(Calculated(kLargest, "+", 7), kLargest);
  EXPECT_EQ(Calculated(-kLargest, "+", 7), std::nullopt);
  EXPECT_EQ(Calculated(2, "**", kLargest), kLargest);
  EXPECT_EQ(Calculated(-3, "**", 63), -kLargest);
  EXPECT_EQ(Calculated(-3, "**", 64), kLargest);
  EXPECT_EQ(Calculated(-1, "**", 1001), -1);
  EXPECT_EQ(Calculated(-1, "**", 1000), 1);
  EXPECT_EQ(Calculated(2, "**", -1), std::nullopt);
  EXPECT_EQ(Calculated(7, "//", 0), std::nullopt);
  EXPECT_EQ(Calculated(7, "%", 0), std::nullopt);
  EXPECT_EQ(Calculated(std::numeric_limits<std::int64_t>::min(), "//", -1), std::nullopt);
  EXPECT_EQ(Calculated(std::numeric_limits<std::int64_t>::min(), "%", -1), std::nullopt);
}

TEST(Negated, NumbersAtTheirBounds) {
  EXPECT_EQ(Negated(7), -7);
  EXPECT_EQ(Negated(kLargest), -kLargest);
  EXPECT_EQ(Negated(-kLargest), kLargest);
  EXPECT_EQ(Negated(std::numeric_limits<std::int64_t>::min()), kLargest);
}

TEST(Calculate, WhatIsAddedIsANumberOrText) {
  TextStore store(1000, 1000);
  const auto sum = [&](const TemplateValue& a, const TemplateValue& b) {
    return Calculate("+", a, b, store);
  };
  EXPECT_TRUE(sum(DataValue(), NumberValue(1)).IsNumber());
  EXPECT_TRUE(sum(UnknownNumber(), DataValue()).IsNumber());
  EXPECT_EQ(sum(DataValue(), DataValue()).computed, "+");
  EXPECT_EQ(sum(DataValue(), TextValue("a")).computed, "+");
  EXPECT_THAT(TextsOf(sum(TextValue("a"), TextValue("b"))), ElementsAre("ab"));
  const TemplateValue list = sum(Held(TextValue("a")), DataValue());
  EXPECT_THAT(TextsOf(list), ElementsAre("a"));
  EXPECT_TRUE(list.computed.empty());
}

TEST(Calculate, RepeatsText) {
  TextStore store(100'000, 1000);
  const auto product = [&](const TemplateValue& a, const TemplateValue& b) {
    return Calculate("*", a, b, store);
  };
  EXPECT_THAT(TextsOf(product(TextValue("ab"), NumberValue(2))), ElementsAre("abab"));
  EXPECT_THAT(TextsOf(product(NumberValue(2), TextValue("ab"))), ElementsAre("abab"));
  EXPECT_THAT(TextsOf(product(TextValue("ab"), NumberValue(0))), ElementsAre(""));
  EXPECT_THAT(TextsOf(product(TextValue("a"), NumberValue(256))), SizeIs(1));
  EXPECT_EQ(product(TextValue("a"), NumberValue(257)).computed, "*");
  EXPECT_EQ(product(TextValue("a"), UnknownNumber()).computed, "*");
  EXPECT_EQ(product(DataValue(), DataValue()).computed, "*");
  EXPECT_TRUE(product(UnknownNumber(), UnknownNumber()).IsNumber());
  EXPECT_EQ(product(TextValue("ab"), NumberValue(1'000'000)).bytes, 2'000'000U);
}

TEST(Concatenate, IsKnownWhereBothAre) {
  TextStore store(100'000, 1000);
  const auto row = [&](const TemplateValue& a, const TemplateValue& b) {
    return Concatenate("~", a, b, store);
  };
  EXPECT_THAT(TextsOf(row(OneOf({"a", "b"}), OneOf({"c", "d"}))),
              ElementsAre("ac", "ad", "bc", "bd"));
  EXPECT_EQ(row(TextValue("a"), DataValue()).computed, "~");
  EXPECT_EQ(row(TextValue("a"), NumberValue(1)).computed, "~");  // the text form of a number
  EXPECT_EQ(row(TextValue("a"), ComputedValue("join")).computed, "join");
  EXPECT_EQ(row(Held(TextValue("a")), TextValue("b")).computed, "~");
  EXPECT_TRUE(row(TemplateValue(), TextValue("b")).IsNothing());
  // More alternatives than are kept, or a longer text.
  EXPECT_EQ(row(OneOf({"a", "b", "c", "d", "e"}), OneOf({"1", "2", "3", "4"})).computed, "~");
  const std::string half(TextStore::kLongest / 2, 'x');
  EXPECT_TRUE(row(TextValue(half), TextValue(half)).IsExact());
  EXPECT_EQ(row(TextValue(half), TextValue(half + "x")).computed, "~");
}

TEST(Absorb, KeepsTheInternalNamesOfMany) {
  TemplateValue value;
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back("k" + std::to_string(i));
  for (const std::string& text : texts) Absorb(value, TextValue(text));
  EXPECT_THAT(value.items, SizeIs(TemplateValue::kMostAlternatives));
  EXPECT_TRUE(value.more);
  EXPECT_FALSE(value.IsExact());
  EXPECT_FALSE(Absorb(value, TextValue("k20")));
  EXPECT_TRUE(Absorb(value, TextValue("_k")));
  EXPECT_EQ(value.items.back().text, "_k");
  EXPECT_FALSE(Absorb(value, TextValue("_l")));
}

TEST(ElementOf, IsAnElementOrACharacter) {
  EXPECT_THAT(TextsOf(ElementOf(Held(OneOf({"ab", "c"})))), ElementsAre("ab", "c"));
  EXPECT_THAT(TextsOf(ElementOf(TextValue("aba"))), ElementsAre("a", "b"));
  EXPECT_EQ(ElementOf(TextValue("\xC3\xA9")).computed, "[]");  // depends on the decoder
  TemplateValue either = TextValue("ab");
  Absorb(either, Held(TextValue("cd")));
  EXPECT_THAT(TextsOf(ElementOf(either)), ElementsAre("ab", "cd", "a", "b", "c", "d"));
  EXPECT_EQ(ElementOf(TextValue(std::string(300, 'x'))).computed, "[]");
  EXPECT_THAT(TextsOf(MemberOf(TextValue("ab"))), IsEmpty());
}

TEST(TextStore, KeepsAsMuchAsItsBudget) {
  TextStore store(10, 0);
  EXPECT_EQ(store.Keep("abcdef"), "abcdef");
  EXPECT_EQ(store.Keep("abcdef"), std::nullopt);
  EXPECT_EQ(store.Keep("a"), std::nullopt);  // the budget stays used up
  TextStore other(10'000, 0);
  EXPECT_EQ(other.Keep(std::string(257, 'x')), std::nullopt);
  EXPECT_EQ(other.Keep(std::string(1, kHole)), std::nullopt);
  EXPECT_EQ(other.Literal(5, "'a\\x41'"), "aA");
  EXPECT_EQ(other.Literal(5, "'a\\x41'"), "aA");
  EXPECT_EQ(other.Literal(9, "'\\N{SNOWMAN}'"), std::nullopt);
  EXPECT_EQ(other.Literal(1, "'a"), "a");
}

}  // namespace
}  // namespace ggufgate::testing
