// Rule string-utf8.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using Strings = std::vector<std::string>;

// One text for each kind of invalid UTF-8, and the position of its first bad sequence.
struct BadText {
  std::string text;
  std::size_t position;
};

const std::vector<BadText>& BadTexts() {
  static const std::vector<BadText> texts = {
      {"\xFF", 0},
      {"ab\x80", 2},
      {"a\xC0\x80", 1},
      {"\xED\xA0\x80", 0},
      {"\xF4\x90\x80\x80", 0},
      {"abc\xE4\xBD", 3},
      {"\xC3\xA9\xC3", 2},
      {"\xF5", 0},
  };
  return texts;
}

TEST(StringUtf8, OfAValue) {
  for (const auto& [text, position] : BadTexts()) {
    const Model model = Model().Set(kKey, text);
    const Finding finding = SoleFinding(model, RuleId::kStringUtf8);
    EXPECT_THAT(finding,
                Tells({ValueAt(model, 0) + 8 + position, 1},
                      Number(static_cast<unsigned char>(text.at(position))), _, Number(position)));
    EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\"");
    EXPECT_EQ(WordingOf(finding), StringUtf8Wording::kOne);
    EXPECT_EQ(Severities(model, RuleId::kStringUtf8), "warning warning error");
    EXPECT_TRUE(Judge(model).Accepted());
  }
  using namespace std::string_literals;
  for (const std::string& text :
       {""s, "ab"s, "caf\xC3\xA9"s, "\xF4\x8F\xBF\xBF"s, "\xEF\xBF\xBD"s, "\xED\x9F\xBF"s}) {
    EXPECT_THAT(Judge(Model().Set(kKey, text)).Rules(), IsEmpty());
  }
}

TEST(StringUtf8, OfAnElement) {
  const Model model = Model().Set(kKey, Strings{"ab", "c\x80"});
  const Finding finding = SoleFinding(model, RuleId::kStringUtf8);
  EXPECT_THAT(finding,
              Tells({ValueAt(model, 0) + 12 + 10 + 8 + 1, 1}, Number(0x80), Number(1), Number(1)));
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\" element 1");
  EXPECT_EQ(WordingOf(finding), StringUtf8Wording::kOne);
  EXPECT_THAT(RulesFired(Model().Set(kKey, Strings{"ab", "c"})), IsEmpty());
}

TEST(StringUtf8, CountsTheBadElementsOfAnArray) {
  const Model model = Model().Set(kKey, Strings{"\xFF", "ok", "\xFE", "\xFD"});
  const Judged judged = Judge(model);
  EXPECT_EQ(TotalOf(judged, RuleId::kStringUtf8), 1U);
  const Finding finding = judged.Only(RuleId::kStringUtf8);
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\" element 0");
  EXPECT_EQ(finding.observed, Number(0xFF));
  EXPECT_EQ(finding.allowed, Number(3));
  EXPECT_EQ(WordingOf(finding), StringUtf8Wording::kSeveral);
  EXPECT_EQ(WordingOf(Judge(Model().Set(kKey, Strings{"\xFF", "\xFE"})).Only(RuleId::kStringUtf8)),
            StringUtf8Wording::kSeveral);
}

TEST(StringUtf8, IsANoteWhereTokenizersKeepRawBytes) {
  for (const char* key :
       {"tokenizer.ggml.tokens", "tokenizer.ggml.merges", "tokenizer.ggml.added_tokens"}) {
    const Model model = Model().Set(key, Strings{"a", "\xE4\xBD"});
    EXPECT_THAT(Judge(model).Rules(), ElementsAre("string-utf8"));
    EXPECT_EQ(Severities(model, RuleId::kStringUtf8), "note note note");
    EXPECT_TRUE(Judge(model, PolicyFor(Profile::kSpec)).Accepted());
  }
  EXPECT_EQ(
      Severities(Model().Set("tokenizer.ggml.token", Strings{"\xE4\xBD"}), RuleId::kStringUtf8),
      "warning warning error");
}

TEST(StringUtf8, ACharacterMayNotReachIntoTheNextString) {
  // Together the two are UTF-8; a check of adjacent strings must not accept them.
  EXPECT_THAT(RulesFired(Model().Set(kKey, Strings{"\xC3", "\xA9"})), ElementsAre("string-utf8"));
  EXPECT_THAT(RulesFired(Model().Set(kKey, Strings{"\xC3\xA9", ""})), IsEmpty());
}

TEST(StringUtf8, StringsWithLengthsThatAreNotAscii) {
  // 0xA9 as a length would complete a character that began before it; 0xC3 would begin one.
  const std::string wide(0xA9, 'x');
  const std::string wider(0xC3, 'y');
  const std::string widest(0x80C3, 'z');
  EXPECT_THAT(RulesFired(Model().Set(kKey, Strings{"a", wide, wider, "b", widest, wide, ""})),
              IsEmpty());
  EXPECT_THAT(RulesFired(Model().Set(kKey, Strings{"\xC3", wide})), ElementsAre("string-utf8"));
  for (const std::size_t bad : {0U, 1U, 2U, 3U, 4U}) {
    Strings strings = {wide, "a", wider, widest, "b"};
    strings.at(bad).back() = '\xC3';
    const Model model = Model().Set("first", Strings{wide}).Set(kKey, strings);
    EXPECT_THAT(RulesFired(model), ElementsAre("string-utf8"));
    EXPECT_EQ(Judge(model).Only(RuleId::kStringUtf8).subject.element, bad);
  }
}

TEST(StringUtf8, InBothByteOrders) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set(kKey, Strings{"ok", std::string(200, 'x')});
  EXPECT_THAT(RulesFired(model), ElementsAre("byte-order"));
  model.Set(kKey, Strings{"\xA9", std::string(200, 'x')});
  EXPECT_THAT(RulesFired(model), ElementsAre("byte-order", "string-utf8"));
}

TEST(StringUtf8, InsideNestedArrays) {
  Encoder inner(ByteOrder::kLittle);
  const auto array = [&](std::string_view text) {
    inner.Put(std::uint32_t{8}).Put(std::uint64_t{1}).PutString(text);
  };
  array("a");
  array("\xFF");
  const Model model = WithArray(ValueType::kArray, 2, inner.Take());
  const Judged judged = Judge(model, PolicyFor(Profile::kSpec));
  EXPECT_THAT(judged.Rules(), ElementsAre("array-nested", "string-utf8"));
  EXPECT_EQ(judged.Only(RuleId::kStringUtf8).where,
            (ByteRange{ValueAt(model, 0) + 12 + 21 + 12 + 8, 1}));
}

TEST(TensorNameUtf8, OfATensorName) {
  Model model = WithTensors({32, 32});
  model.tensors[1].name = "t\xFE";
  const Finding finding = SoleFinding(model, RuleId::kTensorNameUtf8);
  EXPECT_EQ(finding.where, (ByteRange{NameAt(model, 1) + 1, 1}));
  EXPECT_EQ(finding.subject.section, Place::Section::kTensor);
  EXPECT_EQ(finding.subject.index, 1U);
  EXPECT_EQ(finding.observed, Number(0xFE));

  model.tensors[1].name = "t\xC3\xA9";
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(StringUtf8, BytesOfOtherArraysAreNoText) {
  EXPECT_THAT(RulesFired(WithArray(ValueType::kU8, 2, {0xFF, 0xFE})), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
