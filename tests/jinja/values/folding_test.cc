// Results of filters, methods and slices of known values; all other results must be unknown.

#include "jinja/values/folding.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

using Texts = std::vector<std::string>;

Texts FoldedTexts(const TemplateValue& value) {
  Texts texts;
  for (const Constant& item : value.items) texts.emplace_back(item.text);
  return texts;
}

TemplateValue List(const std::vector<std::string_view>& texts) {
  TemplateValue list;
  for (const std::string_view text : texts) Absorb(list, Held(TextValue(text)));
  return list;
}

TemplateArguments Arguments(const std::vector<TemplateValue>& values) {
  TemplateArguments arguments;
  for (const TemplateValue& value : values) arguments.push_back({.name = "", .value = value});
  return arguments;
}

TemplateArguments Words(const std::vector<std::string_view>& texts) {
  std::vector<TemplateValue> values;
  for (const std::string_view text : texts) values.push_back(TextValue(text));
  return Arguments(values);
}

class Folding : public ::testing::Test {
 protected:
  TemplateValue Filtered(const TemplateValue& value, std::string_view filter,
                         const TemplateArguments& arguments = {}) {
    return FoldFilter(filter, value, arguments, store_);
  }
  TemplateValue Called(const TemplateValue& value, std::string_view method,
                       const TemplateArguments& arguments = {}) {
    return FoldMethod(method, value, arguments, store_);
  }
  TemplateValue Sliced(const TemplateValue& value, const std::vector<TemplateValue>& parts) {
    return FoldSlice(value, Arguments(parts), store_);
  }

  TextStore store_{100'000, 10'000};
};

TEST_F(Folding, ListsThatKeepTheirElements) {
  for (const char* filter : {"list", "select", "reject", "unique", "sort", "reverse"}) {
    const TemplateValue list = Filtered(List({"a", "b"}), filter);
    EXPECT_TRUE(list.container) << filter;
    EXPECT_THAT(FoldedTexts(list), ElementsAre("a", "b")) << filter;
    EXPECT_TRUE(list.computed.empty()) << filter;
  }
  EXPECT_EQ(Filtered(List({"a"}), "unheard_of").computed, "unheard_of");
  EXPECT_EQ(Filtered(List({"a"}), "join").computed, "join");
}

TEST_F(Folding, OneOfAList) {
  for (const char* filter : {"first", "last", "random", "min", "max"}) {
    EXPECT_THAT(FoldedTexts(Filtered(List({"a", "b"}), filter)), ElementsAre("a", "b")) << filter;
    EXPECT_THAT(FoldedTexts(Filtered(TextValue("aba"), filter)), ElementsAre("a", "b")) << filter;
    EXPECT_TRUE(Filtered(DataValue(), filter).computed.empty()) << filter;
  }
}

TEST_F(Folding, TextsThatAreKnown) {
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aB"), "lower")), ElementsAre("ab"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aB"), "upper")), ElementsAre("AB"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aB c"), "capitalize")), ElementsAre("Ab c"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aB c"), "title")), ElementsAre("Ab C"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue(" a "), "trim")), ElementsAre("a"));
  EXPECT_THAT(FoldedTexts(Called(TextValue("xax"), "lstrip", Words({"x"}))), ElementsAre("ax"));
  EXPECT_THAT(FoldedTexts(Called(TextValue("xax"), "rstrip", Words({"x"}))), ElementsAre("xa"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aba"), "replace", Words({"a", "_"}))),
              ElementsAre("_b_"));
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("%s-%s"), "format", Words({"a", "b"}))),
              ElementsAre("a-b"));
  EXPECT_THAT(FoldedTexts(Called(TextValue("{1}{0}"), "format", Words({"a", "b"}))),
              ElementsAre("ba"));
}

TEST_F(Folding, TextsThatAreNot) {
  const std::string_view accented = "\xC3\xA9";
  for (const char* filter : {"lower", "upper", "title", "capitalize", "trim"}) {
    EXPECT_EQ(Filtered(TextValue(accented), filter).computed, filter);
    EXPECT_TRUE(Filtered(DataValue(), filter).computed.empty()) << filter;
  }
  EXPECT_EQ(Filtered(TextValue("a-b"), "title").computed, "title");
  EXPECT_EQ(Filtered(TextValue("<"), "e").computed, "e");
  EXPECT_EQ(Filtered(TextValue("a"), "tojson").computed, "tojson");
  EXPECT_EQ(Filtered(List({"a"}), "string").computed, "string");
  EXPECT_EQ(Filtered(NumberValue(1), "replace", Words({"1", "_"})).computed, "replace");
  EXPECT_TRUE(Filtered(NumberValue(1), "string").computed.empty());
  EXPECT_EQ(Filtered(TextValue("%5s"), "format", Words({"a"})).computed, "%");
  EXPECT_EQ(Filtered(TextValue("%c"), "format", Arguments({NumberValue(95)})).computed, "%");
  EXPECT_EQ(Filtered(TextValue("%s"), "format").computed, "%");
  EXPECT_EQ(Called(TextValue("{:_^9}"), "format", Words({"a"})).computed, "format");
  EXPECT_EQ(Called(TextValue("a,b"), "split", Words({","})).computed, "split");
  EXPECT_TRUE(Called(DataValue(), "split", Words({","})).computed.empty());
  EXPECT_EQ(Called(DataValue(), "replace", Words({"a", "_"})).computed, "replace");
  EXPECT_EQ(Called(DataValue(), "center", Words({"9"})).computed, "center");
  EXPECT_EQ(Filtered(TextValue("ab"), "reverse").computed, "reverse");
}

TEST_F(Folding, Numbers) {
  EXPECT_EQ(Filtered(TextValue("1_2"), "int").Number(), 12);
  for (const char* text : {"x", "0x10", " 1", "1__2", "_1", "1.5", ""}) {
    EXPECT_EQ(Filtered(TextValue(text), "int").Number(), std::nullopt) << text;
    EXPECT_TRUE(Filtered(TextValue(text), "int").IsNumber()) << text;
  }
  for (const char* filter : {"length", "count", "float", "abs", "round"}) {
    EXPECT_TRUE(Filtered(DataValue(), filter).IsNumber()) << filter;
  }
  EXPECT_TRUE(Called(TextValue("a"), "startswith", Words({"a"})).IsNumber());
}

// Without a text as the start, Jinja2 adds to 0.
TEST_F(Folding, ASumIsANumberUnlessItBeginsWithAText) {
  EXPECT_TRUE(Filtered(List({"a", "b"}), "sum").IsNumber());
  EXPECT_TRUE(Filtered(DataValue(), "sum", Words({"x"})).IsNumber());  // an attribute
  EXPECT_EQ(Filtered(List({"a", "b"}), "sum", Words({"x", ""})).computed, "sum");
  EXPECT_EQ(Filtered(List({"a"}), "sum", {{.name = "start", .value = TextValue("")}}).computed,
            "sum");
  EXPECT_EQ(Filtered(List({"a"}), "sum", {{.name = "**", .value = DataValue()}}).computed, "sum");
}

TEST_F(Folding, MapsAFilterOverAList) {
  EXPECT_THAT(FoldedTexts(Filtered(List({"ab", "c"}), "map", Words({"replace", "a", "_"}))),
              ElementsAre("_b", "c"));
  EXPECT_TRUE(Filtered(DataValue(), "map", Words({"upper"})).computed.empty());
  EXPECT_EQ(Filtered(List({"a"}), "map", Words({"wordwrap"})).computed, "wordwrap");
  EXPECT_EQ(Filtered(DataValue(), "map", Words({"map", "upper"})).computed, "map");
  EXPECT_EQ(Filtered(DataValue(), "map", Arguments({DataValue()})).computed, "map");
}

TEST_F(Folding, NamedAndSpreadArguments) {
  const TemplateArguments named = {{.name = "new", .value = TextValue("_")},
                                   {.name = "old", .value = TextValue("a")}};
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("aba"), "replace", named)), ElementsAre("_b_"));
  const TemplateArguments other = {{.name = "neu", .value = TextValue("_")},
                                   {.name = "old", .value = TextValue("a")}};
  EXPECT_EQ(Filtered(TextValue("aba"), "replace", other).computed, "replace");
  const TemplateArguments spread = {{.name = "*", .value = List({"a"})}};
  EXPECT_EQ(Filtered(TextValue("%s"), "format", spread).computed, "%");
  EXPECT_THAT(FoldedTexts(Filtered(DataValue(), "default", spread)), ElementsAre("a"));
}

TEST_F(Folding, OtherwiseAndItems) {
  EXPECT_THAT(FoldedTexts(Filtered(TextValue("a"), "default", Words({"b"}))),
              ElementsAre("a", "b"));
  EXPECT_THAT(FoldedTexts(Called(List({"a"}), "get", Words({"k", "b"}))), ElementsAre("a", "b"));
  const TemplateValue pairs = Called(List({"a"}), "items");
  EXPECT_EQ(pairs.deepest, 2);
  EXPECT_THAT(FoldedTexts(ElementOf(ElementOf(pairs))), ElementsAre("a"));
}

TEST_F(Folding, SlicesOfAText) {
  const TemplateValue text = TextValue("abc");
  EXPECT_THAT(FoldedTexts(Sliced(text, {NumberValue(1)})), ElementsAre("b"));
  EXPECT_THAT(FoldedTexts(Sliced(text, {NumberValue(-1)})), ElementsAre("c"));
  EXPECT_THAT(FoldedTexts(Sliced(text, {NumberValue(INT64_MAX)})), ElementsAre(""));
  EXPECT_THAT(FoldedTexts(Sliced(text, {NumberValue(1), NumberValue(3)})), ElementsAre("bc"));
  EXPECT_THAT(FoldedTexts(Sliced(text, {UnknownNumber()})), ElementsAre("a", "b", "c"));
  EXPECT_EQ(Sliced(text, {UnknownNumber(), NumberValue(2)}).computed, "[:]");
  EXPECT_TRUE(Sliced(DataValue(), {UnknownNumber(), NumberValue(2)}).computed.empty());
  EXPECT_THAT(FoldedTexts(Sliced(List({"a", "b"}), {NumberValue(1)})), ElementsAre("a", "b"));
  EXPECT_THAT(FoldedTexts(Sliced(List({"a", "b"}), {NumberValue(1), {}})), ElementsAre("a", "b"));
}

// For any budget, a value is either right or unknown.
TEST(FoldingBudget, GivesUpWhereItEnds) {
  bool knows = false;
  bool gives_up = false;
  for (std::uint64_t budget = 0; budget < 100; ++budget) {
    TextStore store(budget, 1000);
    const TemplateValue value = FoldFilter("replace", TextValue("aXb"), Words({"X", "_"}), store);
    knows = FoldedTexts(value) == Texts{"a_b"};
    gives_up = gives_up || value.computed == "replace";
    ASSERT_TRUE(knows || value.computed == "replace") << budget;
  }
  EXPECT_TRUE(knows && gives_up);
  EXPECT_THAT(FoldedTexts(FoldUnknown("f", TextValue("a"), {})), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
