// Constants of a template: numbers, texts put together, and what that may cost.

#include "check/template_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> TextsOf(const TemplateValue& value) {
  std::vector<std::string> texts;
  for (const Constant& item : value.items) texts.push_back(item.text);
  return texts;
}

TemplateValue List(const std::vector<std::string>& texts) {
  TemplateValue list;
  list.kind = TemplateValue::Kind::kList;
  for (const std::string& text : texts) list.items.push_back({.text = text});
  return list;
}

std::optional<std::int64_t> Calculated(std::int64_t a, std::string_view symbol, std::int64_t b) {
  WorkBudget budget(1000);
  const TemplateValue value = Calculate(symbol, NumberValue(a), NumberValue(b), budget);
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
  EXPECT_EQ(NumberOf("1.5e3"), 1000);  // the fraction is left out: no count hangs on it
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
  EXPECT_EQ(Calculated(7, "/", 2), 3);
  EXPECT_EQ(Calculated(7, "%", 4), 3);
  EXPECT_EQ(Calculated(7, "~", 4), std::nullopt);
  EXPECT_EQ(Calculated(2, "**", 10), 1024);
}

// None of these is an overflow.
TEST(Calculate, NumbersAtTheirBounds) {
  EXPECT_EQ(Calculated(kLargest, "*", kLargest), kLargest);
  EXPECT_EQ(Calculated(kLargest, "*", -2), -kLargest);
  EXPECT_EQ(Calculated(2, "**", kLargest), kLargest);
  EXPECT_EQ(Calculated(-3, "**", 63), -kLargest);
  EXPECT_EQ(Calculated(-3, "**", 64), kLargest);
  EXPECT_EQ(Calculated(-1, "**", 1001), -1);
  EXPECT_EQ(Calculated(-1, "**", 1000), 1);
  EXPECT_EQ(Calculated(kLargest, "**", kLargest), kLargest);
  EXPECT_EQ(Calculated(2, "**", -1), 1);
  EXPECT_EQ(Calculated(7, "//", 0), std::nullopt);
  EXPECT_EQ(Calculated(7, "%", 0), std::nullopt);
  EXPECT_EQ(Calculated(std::numeric_limits<std::int64_t>::min(), "//", -1), std::nullopt);
  EXPECT_EQ(Calculated(std::numeric_limits<std::int64_t>::min(), "%", -1), std::nullopt);
}

TEST(Calculate, RepeatsText) {
  WorkBudget budget(100'000);
  EXPECT_THAT(TextsOf(Calculate("*", TextValue("ab"), NumberValue(2), budget)),
              ElementsAre("abab"));
  EXPECT_THAT(TextsOf(Calculate("*", NumberValue(2), TextValue("ab"), budget)),
              ElementsAre("abab"));
  EXPECT_THAT(TextsOf(Calculate("*", TextValue("ab"), NumberValue(0), budget)), IsEmpty());
  EXPECT_THAT(TextsOf(Calculate("*", TextValue("ab"), NumberValue(-1), budget)), IsEmpty());
  EXPECT_FALSE(Calculate("*", TextValue("a"), NumberValue(1024), budget).items.front().inexact);
  const TemplateValue many = Calculate("*", TextValue("a"), NumberValue(1025), budget);
  EXPECT_THAT(many.items.front().text, SizeIs(1024));
  EXPECT_TRUE(many.items.front().inexact);
  TemplateValue either = TextValue("a");  // a text, or a number that is no count of copies
  Absorb(either, NumberValue(7));
  EXPECT_THAT(TextsOf(Calculate("*", either, NumberValue(2), budget)), ElementsAre("aa"));
  WorkBudget small(10);
  EXPECT_THAT(TextsOf(Calculate("*", TextValue("ab"), NumberValue(9), small)), IsEmpty());
}

TEST(Calculate, AddsListsAsFarAsTheyMayGrow) {
  WorkBudget budget(100'000);
  EXPECT_THAT(TextsOf(Calculate("+", List({"a"}), List({"b", "c"}), budget)),
              ElementsAre("a", "b", "c"));
  const TemplateValue full = List(std::vector<std::string>(TemplateValue::kMostElements, "x"));
  EXPECT_THAT(Calculate("+", full, List({"y"}), budget).items,
              SizeIs(TemplateValue::kMostElements));
  WorkBudget small(17 + 9);  // the copy of "a" and its overhead, and one more text
  EXPECT_THAT(TextsOf(Calculate("+", List({"a"}), List({"b", "c"}), small)), ElementsAre("a", "b"));
  EXPECT_TRUE(small.Exhausted());
}

TEST(Concatenate, KeepsWhatIsNotExact) {
  WorkBudget budget(1000);
  const auto joined = [&](Constant a, Constant b) {
    TemplateValue left = TextValue("");
    left.items.front() = std::move(a);
    TemplateValue right = TextValue("");
    right.items.front() = std::move(b);
    return Concatenate(left, right, budget).items.front();
  };
  EXPECT_EQ(joined({.text = "a"}, {.text = "b"}).text, "ab");
  EXPECT_FALSE(joined({.text = "a"}, {.text = "b"}).opaque);
  EXPECT_TRUE(joined({.text = "a", .opaque = true}, {.text = "b"}).opaque);
  EXPECT_TRUE(joined({.text = "a"}, {.text = "b", .opaque = true}).opaque);
  EXPECT_TRUE(joined({.text = "a", .inexact = true}, {.text = "b"}).inexact);
  EXPECT_TRUE(joined({.text = "a"}, {.text = "b", .inexact = true}).inexact);
  EXPECT_FALSE(joined({.text = "a"}, {.text = "b"}).inexact);
}

TEST(LoopVariable, IsEachElementAndAllInARow) {
  WorkBudget budget(1000);
  EXPECT_THAT(TextsOf(LoopVariable(List({"a", "b"}), budget)), ElementsAre("a", "b", "ab"));
  EXPECT_THAT(TextsOf(LoopVariable(List({"a"}), budget)), ElementsAre("a"));
  WorkBudget small(9);
  EXPECT_THAT(TextsOf(LoopVariable(List({"a", "b"}), small)), ElementsAre("a", "b"));
  std::vector<std::string> letters;
  std::string row;
  for (char c = 'a'; c < 'a' + 16; ++c) row += letters.emplace_back(1, c);
  const TemplateValue variable = LoopVariable(List(letters), budget);
  EXPECT_THAT(variable.items, SizeIs(TemplateValue::kMostAlternatives));
  EXPECT_EQ(variable.items.back().text, row);  // takes the place of the last letter
}

TEST(Absorb, MembersOfListsAreBounded) {
  TemplateValue list = List({"a"});
  for (int i = 0; i < 20; ++i) Absorb(list, List({std::to_string(i)}));
  EXPECT_THAT(list.members, SizeIs(TemplateValue::kMostAlternatives));
  EXPECT_EQ(list.items.front().text, "a");
}

TEST(MapText, ForgetsWhatCannotBePaidFor) {
  const auto same = [](const std::string& text) { return text; };
  WorkBudget budget(1000);
  EXPECT_TRUE(MapText(List({"a", "b"}), budget, same).IsList());
  EXPECT_FALSE(MapText(List({}), budget, same).IsList());
  WorkBudget one(9);
  EXPECT_THAT(TextsOf(MapText(List({"a", "b"}), one, same)), ElementsAre("a"));
  EXPECT_FALSE(MapText(List({"a"}), one, same).IsList());
}

}  // namespace
}  // namespace ggufgate
