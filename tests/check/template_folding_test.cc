// What filters, methods and slices make of constants, and what they make of them when the budget is
// used up: nothing that is long.

#include "check/template_folding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Texts = std::vector<std::string>;

Texts TextsOf(const TemplateValue& value) {
  Texts texts;
  for (const Constant& item : value.items) texts.push_back(item.text);
  return texts;
}

TemplateValue List(const Texts& texts) {
  TemplateValue list;
  list.kind = TemplateValue::Kind::kList;
  for (const std::string& text : texts) list.items.push_back({.text = text});
  return list;
}

TemplateArguments Arguments(const std::vector<TemplateValue>& values) {
  TemplateArguments arguments;
  for (const TemplateValue& value : values) arguments.push_back({.name = "", .value = value});
  return arguments;
}

TemplateArguments Words(const Texts& texts) {
  std::vector<TemplateValue> values;
  for (const std::string& text : texts) values.push_back(TextValue(text));
  return Arguments(values);
}

TemplateValue Filtered(const TemplateValue& value, std::string_view filter,
                       const TemplateArguments& arguments = {}, std::uint64_t bytes = 100'000) {
  WorkBudget budget(bytes);
  return FoldFilter(filter, value, arguments, budget);
}

TemplateValue Called(const TemplateValue& value, std::string_view method,
                     const TemplateArguments& arguments = {}, std::uint64_t bytes = 100'000) {
  WorkBudget budget(bytes);
  return FoldMethod(method, value, arguments, budget);
}

TemplateValue Sliced(const TemplateValue& value, const std::vector<TemplateValue>& parts,
                     std::uint64_t bytes = 100'000) {
  WorkBudget budget(bytes);
  return FoldSlice(value, Arguments(parts), budget);
}

TEST(FoldFilter, ListsThatKeepTheirElements) {
  for (const char* filter : {"list", "select", "reject", "unique"}) {
    const TemplateValue list = Filtered(List({"a", "b"}), filter);
    EXPECT_TRUE(list.IsList()) << filter;
    EXPECT_THAT(TextsOf(list), ElementsAre("a", "b")) << filter;
    EXPECT_FALSE(list.items.front().inexact) << filter;
  }
  EXPECT_TRUE(Filtered(List({"a"}), "unheard_of").items.front().inexact);
}

TEST(FoldFilter, OneOfAList) {
  EXPECT_THAT(TextsOf(Filtered(List({"a", "b"}), "first")), ElementsAre("a"));
  EXPECT_THAT(TextsOf(Filtered(List({"a", "b"}), "last")), ElementsAre("b"));
  EXPECT_THAT(TextsOf(Filtered(List({}), "first")), IsEmpty());
  for (const char* filter : {"random", "min", "max"}) {
    const TemplateValue any = Filtered(List({"a", "b"}), filter);
    EXPECT_TRUE(any.IsScalar()) << filter;
    EXPECT_THAT(TextsOf(any), ElementsAre("a", "b")) << filter;
  }
}

TEST(FoldFilter, ListsOfWhatADictionaryHolds) {
  TemplateValue dictionary = List({"k"});
  dictionary.members.push_back({.text = "v"});
  for (const char* filter : {"items", "dictsort", "batch", "slice"}) {
    const TemplateValue list = Filtered(dictionary, filter);
    EXPECT_TRUE(list.IsList()) << filter;
    EXPECT_THAT(TextsOf(list), ElementsAre("k", "v")) << filter;
  }
}

TEST(FoldFilter, PartsOfAText) {
  EXPECT_THAT(TextsOf(Filtered(TextValue("abc"), "first")), ElementsAre("a"));
  EXPECT_THAT(TextsOf(Filtered(TextValue("abc"), "last")), ElementsAre("c"));
  EXPECT_THAT(TextsOf(Filtered(TextValue("abc"), "reverse")), ElementsAre("cba"));
  EXPECT_THAT(TextsOf(Filtered(TextValue("abc"), "list")), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Filtered(TextValue(std::string(257, 'x')), "list").items,
              SizeIs(TemplateValue::kMostElements));
}

TEST(FoldFilter, Numbers) {
  for (const char* filter : {"int", "float", "abs", "round"}) {
    EXPECT_THAT(TextsOf(Filtered(TextValue("12"), filter)), ElementsAre("12")) << filter;
    EXPECT_EQ(Filtered(TextValue("12"), filter).items.front().number, 12) << filter;
    EXPECT_THAT(TextsOf(Filtered(TextValue("x"), filter)), IsEmpty()) << filter;
  }
}

TEST(FoldFilter, MapsAFilterOverAList) {
  EXPECT_THAT(TextsOf(Filtered(List({"ab", "c"}), "map", Words({"reverse"}))),
              ElementsAre("ba", "c"));
  EXPECT_THAT(TextsOf(Filtered(List({"ab", "c"}), "map", Words({"replace", "a", "_"}))),
              ElementsAre("_b", "c"));
  EXPECT_FALSE(Filtered(List({"a"}), "map", Words({"upper"})).items.front().inexact);
  EXPECT_TRUE(Filtered(List({"a"}), "map", Words({"wordwrap"})).items.front().inexact);
  EXPECT_TRUE(Filtered(List({"a"}), "map").items.front().inexact);
}

TEST(FoldFilter, NamedArguments) {
  const TemplateArguments named = {{.name = "new", .value = TextValue("_")},
                                   {.name = "old", .value = TextValue("a")}};
  EXPECT_THAT(TextsOf(Filtered(TextValue("aba"), "replace", named)), ElementsAre("_b_"));
  const TemplateArguments other = {{.name = "neu", .value = TextValue("_")},
                                   {.name = "old", .value = TextValue("a")}};
  const TemplateValue value = Filtered(TextValue("aba"), "replace", other);
  EXPECT_THAT(TextsOf(value), ElementsAre("aba"));
  EXPECT_TRUE(value.items.front().inexact);
}

TEST(FoldMethod, SplitsText) {
  for (const char* method : {"split", "rsplit", "partition", "rpartition"}) {
    EXPECT_THAT(TextsOf(Called(TextValue("a-b--c"), method, Words({"-"}))),
                ElementsAre("a", "b", "", "c"))
        << method;
    EXPECT_THAT(TextsOf(Called(TextValue("a-b c"), method)), ElementsAre("a-b", "c")) << method;
  }
  EXPECT_THAT(TextsOf(Called(TextValue("ab"), "split", Words({""}))), IsEmpty());
  EXPECT_THAT(Called(TextValue(std::string(500, '-')), "split", Words({"-"})).items,
              SizeIs(TemplateValue::kMostElements));
}

TEST(FoldMethod, ValuesOfWhatIsNoDictionary) {
  EXPECT_THAT(TextsOf(Called(TemplateValue(), "values")), IsEmpty());
  EXPECT_FALSE(Called(TemplateValue(), "values").IsList());
  EXPECT_TRUE(Called(List({"a"}), "values").IsList());
}

TEST(FoldMethod, JoinTakesAList) {
  EXPECT_THAT(TextsOf(Called(TextValue("-"), "join", Arguments({List({"a", "b"})}))),
              ElementsAre("a-b"));
  EXPECT_THAT(TextsOf(Called(TextValue("-"), "join", Words({"ab"}))), ElementsAre("a-b"));
  EXPECT_THAT(TextsOf(Called(TextValue("-"), "join", Arguments({TemplateValue()}))), IsEmpty());
  EXPECT_THAT(TextsOf(Called(TextValue("-"), "join")), IsEmpty());
}

TEST(FoldSlice, OfAList) {
  const TemplateValue list = List({"a", "b", "c"});
  EXPECT_THAT(TextsOf(Sliced(list, {NumberValue(1)})), ElementsAre("b"));
  EXPECT_THAT(TextsOf(Sliced(list, {NumberValue(-1)})), ElementsAre("c"));
  EXPECT_THAT(TextsOf(Sliced(list, {NumberValue(-3)})), ElementsAre("a"));
  // Outside: any of them.
  EXPECT_THAT(TextsOf(Sliced(list, {NumberValue(3)})), ElementsAre("a", "b", "c"));
  EXPECT_THAT(TextsOf(Sliced(list, {NumberValue(-4)})), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(Sliced(list, {NumberValue(3)}).IsScalar());
  const TemplateValue none;
  EXPECT_THAT(TextsOf(Sliced(list, {none, none, NumberValue(-1)})), ElementsAre("c", "b", "a"));
  EXPECT_THAT(TextsOf(Sliced(list, {none, none, NumberValue(1)})), ElementsAre("a", "b", "c"));
  EXPECT_THAT(TextsOf(Sliced(list, {TextValue("x")})), IsEmpty());
}

TEST(FoldSlice, OfAText) {
  const TemplateValue text = TextValue("abc");
  EXPECT_THAT(TextsOf(Sliced(text, {NumberValue(1)})), ElementsAre("b"));
  EXPECT_THAT(TextsOf(Sliced(text, {NumberValue(-1)})), ElementsAre("c"));
  EXPECT_THAT(TextsOf(Sliced(text, {NumberValue(INT64_MAX)})), ElementsAre(""));
  EXPECT_THAT(TextsOf(Sliced(text, {NumberValue(1), NumberValue(3)})), ElementsAre("bc"));
}

TEST(FoldPercent, OfWhatIsNoText) {
  WorkBudget budget(1000);
  EXPECT_THAT(TextsOf(FoldPercent(List({"%s"}), Words({"a"}), budget)), IsEmpty());
  EXPECT_THAT(TextsOf(FoldPercent(TextValue("%s"), Words({"a"}), budget)), ElementsAre("a"));
}

// Whatever the budget, a value is right, cut short or not known: never wrong, never longer.
TEST(Folding, GivesUpWhereTheBudgetEnds) {
  const auto expect_short = [](const auto& fold, const std::string& whole) {
    bool knows = false;
    bool gives_up = false;
    for (std::uint64_t bytes = 0; bytes < 2000; ++bytes) {
      const TemplateValue value = fold(bytes);
      std::string row;
      for (const Constant& item : value.items) row += item.text;
      ASSERT_TRUE(whole.starts_with(row)) << bytes << " " << row;
      knows = row == whole;
      gives_up = gives_up || row.empty();
    }
    EXPECT_TRUE(knows && gives_up);
  };
  expect_short(
      [](auto bytes) { return Filtered(TextValue("aXb"), "replace", Words({"X", "_"}), bytes); },
      "a_b");
  expect_short([](auto bytes) { return Filtered(TextValue("abc"), "list", {}, bytes); }, "abc");
  expect_short([](auto bytes) { return Filtered(List({"a", "b"}), "join", Words({"-"}), bytes); },
               "a-b");
  expect_short([](auto bytes) { return Filtered(TextValue("abc"), "join", Words({"-"}), bytes); },
               "a-b-c");
  expect_short([](auto bytes) { return Filtered(List({"b", "a"}), "reverse", {}, bytes); }, "ab");
  expect_short(
      [](auto bytes) { return Filtered(TextValue("<%s>"), "format", Words({"a"}), bytes); }, "<a>");
  expect_short([](auto bytes) { return Called(TextValue("a-b"), "split", Words({"-"}), bytes); },
               "ab");
  expect_short([](auto bytes) { return Sliced(TextValue("abc"), {NumberValue(1)}, bytes); }, "b");
}

}  // namespace
}  // namespace ggufgate
