// ggufgate rules: lists the catalogue.

#include <nlohmann/json.hpp>
#include <string>

#include "check/rule.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

TEST(Rules, ListsEveryRuleOnALine) {
  const CommandResult result = RunCommand({"rules"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_TRUE(IsHarmless(result.out));
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), AllRules().size());
  for (const Rule& rule : AllRules()) {
    const std::string& line = lines.at(static_cast<std::size_t>(rule.id));
    EXPECT_TRUE(line.starts_with("  " + std::string(rule.slug) + " ")) << line;
    EXPECT_THAT(line, HasSubstr(std::string(WordFor(rule.SeverityIn(Profile::kGate)))));
    EXPECT_THAT(line, HasSubstr(std::string(rule.what)));
  }
}

TEST(Rules, JsonHoldsTheWholeCatalogue) {
  const CommandResult result = RunCommand({"rules", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0);
  const Json rules = Json::parse(result.out).at("rules");
  ASSERT_EQ(rules.size(), AllRules().size());
  for (const Rule& rule : AllRules()) {
    const Json& json = rules.at(static_cast<std::size_t>(rule.id));
    EXPECT_EQ(json.at("id"), rule.slug);
    EXPECT_EQ(json.at("family"), WordFor(rule.family));
    EXPECT_EQ(json.at("what"), rule.what);
    EXPECT_EQ(json.at("why"), rule.why);
    EXPECT_EQ(json.at("repair"), rule.repair);
    EXPECT_EQ(json.at("loaders"), rule.loaders);
    EXPECT_EQ(json.at("weakness").is_null(), !rule.weakness.any());
    if (rule.weakness.any()) {
      EXPECT_EQ(json.at("weakness").at("cwe"), "CWE-" + std::to_string(rule.weakness.cwe));
    }
    for (std::size_t i = 0; i < kProfileCount; ++i) {
      EXPECT_EQ(json.at("severity").at(std::string(kProfileWords.at(i))),
                WordFor(rule.severities.at(i)));
    }
    std::string reports;
    for (const Json& report : json.at("reports")) {
      reports += (reports.empty() ? "" : ", ") + report.get<std::string>();
    }
    EXPECT_EQ(reports, rule.reports);
  }
}

TEST(Rules, JsonFitsItsSchema) {
  ASSERT_TRUE(CanValidate()) << "the package python3-jsonschema is missing: run scripts/setup";
  const std::string text = RunCommand({"rules", "--format", "json"}).out;
  EXPECT_TRUE(FitsSchema(text, "rules-1"));
  Json bad = Json::parse(text);
  bad.at("rules").at(0).at("severity").erase("spec");
  EXPECT_FALSE(FitsSchema(bad.dump(), "rules-1"));
  bad = Json::parse(text);
  bad.at("rules").at(0)["surprise"] = 1;
  EXPECT_FALSE(FitsSchema(bad.dump(), "rules-1"));
}

TEST(Rules, MarkdownIsAPageOfThem) {
  const CommandResult result = RunCommand({"rules", "--format", "markdown"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(IsHarmless(result.out));
  EXPECT_THAT(result.out, ::testing::StartsWith("# Rules\n"));
  for (const Rule& rule : AllRules()) {
    EXPECT_THAT(result.out, HasSubstr("\n### " + std::string(rule.slug) + "\n"));
  }
}

TEST(Rules, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(RunCommand({"rules", "--format", "xml"}).exit_code, 2);
  EXPECT_EQ(RunCommand({"rules", "surplus"}).exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
