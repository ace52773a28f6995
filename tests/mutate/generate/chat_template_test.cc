// Generated chat templates: they outlive Repair, the gate accepts them, and they differ.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mutate/build/records.h"
#include "mutate/generate/generate.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

TEST(GenerateTemplate, MakesWhatIsKeptAndAccepted) {
  Workshop workshop(21, std::size_t{1} << 14);
  for (std::uint64_t i = 0; i < Rounds(3000); ++i) {
    MutationContext& context = workshop.Fresh();
    const std::string text(GenerateTemplate(context));
    ASSERT_FALSE(text.empty());
    AddText(context, "tokenizer.chat_template", text);
    Repair(context);
    ASSERT_EQ(context.draft.entries.size(), 1u) << text;
    EXPECT_EQ(TextOf(context.draft.entries[0]), text);
    ASSERT_TRUE(context.Write());
    ASSERT_THAT(ErrorsIn(context.bytes()), ::testing::IsEmpty()) << text;
  }
}

TEST(GenerateTemplate, UsesEveryConstruct) {
  Workshop workshop(22, std::size_t{1} << 14);
  std::string all;
  for (int i = 0; i < 500; ++i) all += GenerateTemplate(workshop.Fresh());
  for (const std::string_view construct :
       {"{% for ", "{%- for ", "{% if ", "{% else %}", "{#", "{{-", " -}}", " | tojson", " | trim",
        " ~ ", " + ", " is defined", "raise_exception(", "loop.first", " and not ", "\\n",
        "{ \"plain\": { } }"}) {
    EXPECT_NE(all.find(construct), all.npos) << construct;
  }
}

TEST(GenerateTemplate, ComesFromTheSeedAlone) {
  Workshop one(23, std::size_t{1} << 14);
  Workshop other(23, std::size_t{1} << 14);
  Workshop different(24, std::size_t{1} << 14);
  int differences = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text(GenerateTemplate(one.Fresh()));
    EXPECT_EQ(GenerateTemplate(other.Fresh()), text);
    if (GenerateTemplate(different.Fresh()) != text) ++differences;
  }
  EXPECT_GT(differences, 50);
}

TEST(GenerateTemplate, IsEmptyWhereNoMemoryIsLeft) {
  Workshop workshop(25);
  for (int i = 0; i < 100; ++i) {
    MutationContext& context = workshop.Fresh();
    ASSERT_FALSE(context.arena.Take(context.arena.Left() - 10).empty());
    const std::string_view text = GenerateTemplate(context);
    EXPECT_TRUE(text.empty() || text == "{ \"plain\": { } }") << text;  // which takes none
  }
}

}  // namespace
}  // namespace ggufgate::mutate
