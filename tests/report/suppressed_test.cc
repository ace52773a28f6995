// Suppressed findings stay in reports, with their reason.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "report/reporter.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kReason = "two\nlines \x1b[31m";

Policy ThePolicy() {
  Policy policy;
  policy.findings_per_rule = 2;
  policy.source = "platform\x1b.toml";
  policy.suppressions = {{.rule = RuleId::kKeyCharacters, .reason = kReason, .path = "s*"}};
  return policy;
}

// A file with `suppressed` and `standing` errors of one rule.
FileReport Judged(int suppressed, int standing) {
  Model model = Model::Minimal();
  for (int i = 0; i < suppressed; ++i) model.Set("s" + std::to_string(i) + "\n", std::uint8_t{1});
  for (int i = 0; i < standing; ++i) model.Set("t" + std::to_string(i) + "\n", std::uint8_t{1});
  JudgeOptions options;
  options.policy = ThePolicy();
  const std::vector<std::uint8_t> file = Write(model);
  return JudgeSource(MemorySource(file), "a", options);
}

std::string SuppressedReport(Format format, const FileReport& report,
                             const ReportStyle& style = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(format, ThePolicy(), style, out);
  reporter->Add(report);
  reporter->Finish();
  return out.str();
}

TEST(Suppressed, TextShowsTheReasonUnderTheFinding) {
  const std::string text = SuppressedReport(Format::kText, Judged(1, 0));
  EXPECT_TRUE(testing::IsHarmless(text)) << text;
  EXPECT_THAT(text, ::testing::StartsWith("ok      a"));
  EXPECT_THAT(text, HasSubstr("\n  0x4e  error[key-characters] s0\\x0a: the key contains"));
  EXPECT_THAT(text, HasSubstr("\n        suppressed: two\\x0alines \\x1b[31m\n"));
  const std::string coloured = SuppressedReport(Format::kText, Judged(1, 0), {.colour = true});
  EXPECT_THAT(coloured, HasSubstr("\x1b[2m0x4e  error[key-characters]"));
  EXPECT_THAT(coloured, Not(HasSubstr("\x1b[1;31m")));
}

TEST(Suppressed, TextCountsBothKindsOfWhatIsNotKept) {
  const std::string text = SuppressedReport(Format::kText, Judged(5, 3));
  EXPECT_THAT(text, ::testing::StartsWith("reject  a"));
  EXPECT_THAT(text, HasSubstr("\n  … and 1 more of key-characters\n"));
  EXPECT_THAT(text, HasSubstr("\n  … and 3 more of key-characters, suppressed\n"));
  EXPECT_THAT(SuppressedReport(Format::kText, Judged(2, 2)), Not(HasSubstr("more of")));
}

TEST(Suppressed, VerboseTextNamesThePolicy) {
  EXPECT_THAT(SuppressedReport(Format::kText, Judged(0, 0), {.verbose = true}),
              ::testing::StartsWith("policy  platform\\x1b.toml, profile gate\n"));
  EXPECT_THAT(SuppressedReport(Format::kText, Judged(0, 0)), Not(HasSubstr("policy")));
}

TEST(Suppressed, JsonHasReasonCountsAndPolicy) {
  const std::string text = SuppressedReport(Format::kJson, Judged(5, 3));
  EXPECT_TRUE(testing::FitsSchema(text, "report-1"));
  const Json report = Json::parse(text);
  EXPECT_EQ(report.at("policy"), "platform\\x1b.toml");
  const Json& file = report.at("files").at(0);
  EXPECT_EQ(file.at("verdict"), "reject");
  EXPECT_EQ(file.at("totals").at("key-characters"), 8);
  EXPECT_EQ(file.at("suppressed_totals").dump(), R"({"key-characters":5})");
  ASSERT_EQ(file.at("findings").size(), 4U);
  EXPECT_EQ(file.at("findings").at(0).at("suppressed").dump(),
            R"({"reason":"two\\x0alines \\x1b[31m"})");
  EXPECT_FALSE(file.at("findings").at(2).contains("suppressed"));
}

TEST(Suppressed, JsonSaysNothingWhereThereIsNothing) {
  const Json report = Json::parse(SuppressedReport(Format::kJson, Judged(0, 1)));
  EXPECT_FALSE(report.at("files").at(0).contains("suppressed_totals"));
  std::ostringstream out;
  MakeReporter(Format::kJson, Policy(), {}, out)->Finish();
  EXPECT_EQ(Json::parse(out.str()).at("policy"), nullptr);
  EXPECT_TRUE(testing::FitsSchema(out.str(), "report-1"));
}

}  // namespace
}  // namespace ggufgate
