// Rules key-nested and string-bom: data that readers in other languages see differently.

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

std::vector<std::string> Noted(const Model& model) {
  return Judge(model).AllRules(Severity::kNote);
}

TEST(KeyNested, BelowAKeyWithAValueOfItsOwn) {
  const Model model = Model::Minimal().Set("some.key", "a").Set("some.key.below", "b");
  EXPECT_THAT(Noted(model), ElementsAre("key-nested"));
  const Finding finding = Judge(model).Only(RuleId::kKeyNested);
  EXPECT_EQ(finding.other, Text("some.key"));
  EXPECT_EQ(Describe(finding.subject), "metadata 2 \"some.key.below\"");
  EXPECT_EQ(finding.where.size, std::string_view("some.key.below").size());
  EXPECT_EQ(Severities(model, RuleId::kKeyNested), "note note note");
}

TEST(KeyNested, InWhateverOrderAndWhateverStandsBetween) {
  // Characters that sort before a dot must not separate a key from the keys below it.
  for (const char* between : {"some.key!x", "some.key-x", "some.key x", "some.keys"}) {
    EXPECT_THAT(
        Noted(Model::Minimal().Set("some.key.below", "b").Set(between, "c").Set("some.key", "a")),
        ::testing::Contains("key-nested"))
        << between;
  }
}

TEST(KeyNested, NamesTheNearestOfSeveral) {
  const Model model = Model::Minimal().Set("a", "1").Set("a.b", "2").Set("a.b.c", "3");
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kKeyNested);
  ASSERT_THAT(findings, ::testing::SizeIs(2));
  EXPECT_EQ(findings[0].other, Text("a"));
  EXPECT_EQ(findings[1].other, Text("a.b"));
}

TEST(KeyNested, NotBesideItNorBelowWhatIsPublishedSo) {
  EXPECT_THAT(Noted(Model::Minimal().Set("some.key", "a").Set("some.key2", "b")), IsEmpty());
  EXPECT_THAT(Noted(Model::Minimal().Set("some.key", "a").Set("some.ke", "b")), IsEmpty());
  EXPECT_THAT(Noted(Model::Minimal().Set("some.a", "a").Set("some.b", "b")), IsEmpty());
  EXPECT_THAT(
      Noted(Model::Minimal().Set("general.license", "MIT").Set("general.license.link", "none")),
      IsEmpty());
  EXPECT_THAT(Noted(Model::Minimal()
                        .Set("tokenizer.chat_template", "a")
                        .Set("tokenizer.chat_template.tool_use", "b")),
              IsEmpty());
  const Model model = Model::Minimal()
                          .Set("tokenizer", "a")
                          .Set("tokenizer.chat_template", "b")
                          .Set("tokenizer.chat_template.tool_use", "c");
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kKeyNested);
  ASSERT_THAT(findings, ::testing::SizeIs(2));
  EXPECT_EQ(findings[1].other, Text("tokenizer"));
}

TEST(StringBom, OfATextThatLoadersActOnIsAWarning) {
  const Model model = Model().Set("general.architecture", "\xEF\xBB\xBFllama");
  EXPECT_EQ(Severities(model, RuleId::kStringBom), "warning note note");
  const Finding finding = Judge(model).Only(RuleId::kStringBom);
  EXPECT_EQ(finding.where, (ByteRange{ValueAt(model, 0) + 8, 3}));
  EXPECT_EQ(WordingOf(finding), StringBomWording::kOne);
}

TEST(StringBom, OfAnotherTextIsANoteAndOnlyAtItsBeginning) {
  EXPECT_EQ(Severities(Model::Minimal().Set("general.name", "\xEF\xBB\xBF"), RuleId::kStringBom),
            "note note note");
  EXPECT_THAT(Noted(Model::Minimal().Set("general.name", "a\xEF\xBB\xBF")), IsEmpty());
  EXPECT_THAT(Noted(Model::Minimal().Set("general.name", "\xEF\xBB\xBE")), IsEmpty());
}

TEST(StringBom, OfAnArrayIsOneFinding) {
  using Strings = std::vector<std::string>;
  const Model model = Model::Minimal().Set("some.texts", Strings{"a\xEF\xBB\xBF",
                                                                 "\xEF\xBB\xBF"
                                                                 "b",
                                                                 "c", "\xEF\xBB\xBF"});
  const Finding finding = Judge(model).Only(RuleId::kStringBom);
  EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_EQ(Describe(finding.subject), "metadata 1 \"some.texts\" element 1");
  EXPECT_EQ(finding.allowed, Number(2));
  EXPECT_EQ(WordingOf(finding), StringBomWording::kSeveral);
  EXPECT_THAT(Noted(Model::Minimal().Set("some.texts", Strings{"a\xEF\xBB\xBF", "", "b"})),
              IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
