#include "report/rules_page.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Page(const RuleExample& example = {}) {
  std::ostringstream out;
  WriteRulesPage(
      out, [&](const Rule& rule) { return rule.id == RuleId::kMagic ? example : RuleExample{}; });
  return out.str();
}

TEST(RulesPage, HasARowAndASectionForEveryRule) {
  const std::string page = Page();
  EXPECT_THAT(page, StartsWith("# Rules\n"));
  EXPECT_TRUE(testing::IsHarmless(page));
  for (const Rule& rule : AllRules()) {
    const std::string slug(rule.slug);
    EXPECT_THAT(page, HasSubstr("\n| [" + slug + "](#" + slug + ") | ")) << slug;
    EXPECT_THAT(page, HasSubstr("\n### " + slug + "\n")) << slug;
  }
}

TEST(RulesPage, GroupsByFamily) {
  const std::string page = Page();
  EXPECT_THAT(page, HasSubstr("\n## Container\n\n| rule | gate | llama.cpp | spec | "));
  EXPECT_LT(page.find("\n## Container\n"), page.find("\n## Metadata\n"));
  EXPECT_EQ(page.find("\n## Container\n"), page.rfind("\n## Container\n"));
}

TEST(RulesPage, SaysAllThatIsKnown) {
  const Rule& rule = RuleOf(RuleId::kStringUtf8);
  EXPECT_THAT(
      Page(),
      HasSubstr(
          "\n### string-utf8\n\n" + std::string(rule.what) +
          "\n\ngate: warning, llama.cpp: warning, spec: error, diffusion: warning.\n\n**Why:** "));
}

TEST(RulesPage, ShowsAnExampleWhereThereIsOne) {
  EXPECT_THAT(Page(), Not(HasSubstr("```")));
  EXPECT_THAT(Page({.command = "ggufgate check a", .output = "  0x0  error\n"}),
              HasSubstr("\n\n```\n$ ggufgate check a\n  0x0  error\n```\n\n### version\n"));
}

TEST(RulesPage, CellsOfATableHaveNoBar) {
  std::size_t rows = 0;
  for (std::string line : testing::Lines(Page())) {
    if (!line.starts_with("| [")) continue;
    ++rows;
    while (line.find("\\|") != std::string::npos) line.erase(line.find("\\|"), 2);
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
  }
  EXPECT_EQ(rows, AllRules().size());
}

}  // namespace
}  // namespace ggufgate
