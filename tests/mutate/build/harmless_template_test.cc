// Harmless chat templates: they survive Repair, the gate accepts them, and they differ.

#include "mutate/build/harmless_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mutate/build/records.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

TEST(HarmlessTemplate, MakesWhatIsKeptAndAccepted) {
  Workshop workshop(21, std::size_t{1} << 14);
  for (std::uint64_t i = 0; i < Rounds(3000); ++i) {
    MutationContext& context = workshop.Fresh();
    const std::string text(HarmlessTemplate(context));
    ASSERT_FALSE(text.empty());
    ASSERT_TRUE(IsHarmlessTemplate(text)) << text;
    AddText(context, "tokenizer.chat_template", text);
    Repair(context);
    ASSERT_EQ(context.draft.entries.size(), 1u) << text;
    EXPECT_EQ(TextOf(context.draft.entries[0]), text);
    ASSERT_TRUE(context.Write());
    ASSERT_THAT(ErrorsIn(context.bytes()), ::testing::IsEmpty()) << text;
  }
}

TEST(HarmlessTemplate, IsNoneWithACharacterMoreInItsCode) {
  Workshop workshop(26, std::size_t{1} << 14);
  for (int i = 0; i < 500; ++i) {
    std::string text(HarmlessTemplate(workshop.Fresh()));
    const std::size_t code = text.find("{{");
    if (code == text.npos) continue;
    EXPECT_FALSE(IsHarmlessTemplate(text + "{{ x }}")) << text;
    EXPECT_FALSE(IsHarmlessTemplate("x" + text)) << text;
    EXPECT_FALSE(IsHarmlessTemplate(text.insert(code + 2, " "))) << text;
  }
}

TEST(HarmlessTemplate, IsAnyTextWithoutCode) {
  EXPECT_TRUE(IsHarmlessTemplate(""));
  EXPECT_TRUE(IsHarmlessTemplate("{ a } %} }} #}"));
  EXPECT_TRUE(IsHarmlessTemplate(std::string(16'384, 'x')));
  EXPECT_FALSE(IsHarmlessTemplate(std::string(16'385, 'x')));
  for (const std::string_view code : {"{{", "a {% b", "{# a #}"}) {
    EXPECT_FALSE(IsHarmlessTemplate(code)) << code;
  }
}

TEST(HarmlessTemplate, UsesEveryConstruct) {
  Workshop workshop(22, std::size_t{1} << 14);
  std::string all;
  for (int i = 0; i < 500; ++i) all += HarmlessTemplate(workshop.Fresh());
  for (const std::string_view construct :
       {"{% for ", "{%- for ", "{% if ", "{% else %}", "{#", "{{-", " -}}", " | tojson", " | trim",
        " ~ ", " + ", " is defined", "raise_exception(", "loop.first", " and not ", "\\n",
        "{ \"plain\": { } }"}) {
    EXPECT_NE(all.find(construct), all.npos) << construct;
  }
}

TEST(HarmlessTemplate, ComesFromTheSeedAlone) {
  Workshop one(23, std::size_t{1} << 14);
  Workshop other(23, std::size_t{1} << 14);
  Workshop different(24, std::size_t{1} << 14);
  int differences = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text(HarmlessTemplate(one.Fresh()));
    EXPECT_EQ(HarmlessTemplate(other.Fresh()), text);
    if (HarmlessTemplate(different.Fresh()) != text) ++differences;
  }
  EXPECT_GT(differences, 50);
}

TEST(HarmlessTemplate, IsEmptyWhereNoMemoryIsLeft) {
  Workshop workshop(25);
  for (int i = 0; i < 100; ++i) {
    MutationContext& context = workshop.Fresh();
    ASSERT_FALSE(context.arena.Take(context.arena.Left() - 10).empty());
    const std::string_view text = HarmlessTemplate(context);
    EXPECT_TRUE(text.empty() || text == "{ \"plain\": { } }") << text;  // which accepts no template
  }
}

}  // namespace
}  // namespace ggufgate::mutate
