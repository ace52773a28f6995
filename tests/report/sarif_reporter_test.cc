#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "parse/model.h"
#include "report/reporter.h"
#include "report/sarif_value.h"
#include "tests/oracles/verdict.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate {
namespace {

using testing::JudgedModel;
using testing::Undecided;
using Json = nlohmann::ordered_json;
using testing::kRejected;
using ::testing::StartsWith;

std::string SarifReport(const std::vector<FileReport>& files, Profile profile = Profile::kGate) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kSarif, PolicyFor(profile), {}, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return out.str();
}

Json RunOf(const std::vector<FileReport>& files, Profile profile = Profile::kGate) {
  return Json::parse(SarifReport(files, profile)).at("runs").at(0);
}

TEST(SarifReporter, BeginsWithTheVersion) {
  EXPECT_THAT(SarifReport({}), StartsWith("{\"version\":\"2.1.0\","));
  EXPECT_TRUE(SarifReport({}).ends_with("}\n"));
}

TEST(SarifReporter, DescribesEveryRuleInTheOrderOfItsIndex) {
  const Json driver = RunOf({}, Profile::kSpec).at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "ggufgate");
  EXPECT_EQ(driver.at("version"), GGUFGATE_VERSION);
  ASSERT_EQ(driver.at("rules").size(), AllRules().size());
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(driver.at("rules").at(static_cast<std::size_t>(rule.id)),
              SarifRule(rule, Profile::kSpec));
  }
}

TEST(SarifReporter, SaysOfTheRunWhatIsKnown) {
  Policy policy;
  policy.data = DataScan::kFull;
  const ReportStyle style{.run = RunFacts{.time = "2026-11-24T10:00:00Z",
                                          .policy_sha256 = std::string(64, 'a'),
                                          .system_calls_confined = true,
                                          .files_confined = true}};
  std::ostringstream out;
  MakeReporter(Format::kSarif, policy, style, out)->Finish();
  const Json invocation = Json::parse(out.str()).at("runs").at(0).at("invocations").at(0);
  EXPECT_EQ(invocation.at("startTimeUtc"), "2026-11-24T10:00:00Z");
  EXPECT_EQ(invocation.at("properties").dump(),
            R"({"profile":"gate","data":"full","policySha256":")" + std::string(64, 'a') +
                R"(","confinement":{"system_calls":true,"files":true}})");
  if (!testing::HaveSchemas()) return;  // another test reports that
  EXPECT_TRUE(testing::FitsSarif(out.str()));
}

TEST(SarifReporter, ResultsPointAtTheirFileAndRule) {
  const FileReport bad = JudgedModel(kRejected, "b");
  const Json run = RunOf({JudgedModel(Model::Minimal(), "a"), bad});
  ASSERT_EQ(run.at("results").size(), 1U);
  const Json& result = run.at("results").at(0);
  EXPECT_EQ(result, SarifResult(bad.findings.list.front(), "b", 1, 0));
  EXPECT_EQ(run.at("artifacts").at(1).at("location").at("uri"), "b");
  EXPECT_EQ(run.at("tool")
                .at("driver")
                .at("rules")
                .at(result.at("ruleIndex").get<std::size_t>())
                .at("id"),
            result.at("ruleId"));
  EXPECT_EQ(run.at("invocations").at(0).dump(),
            R"({"executionSuccessful":true,"toolExecutionNotifications":[],)"
            R"("properties":{"profile":"gate"}})");
}

TEST(SarifReporter, AnUndecidedFileIsANotificationAndItsFindingsDoNotCount) {
  FileReport changed = JudgedModel(kRejected, "b");
  changed.verdict = Verdict::kUndecided;
  changed.problem = absl::AbortedError("it changed {0}");
  const Json run = RunOf({JudgedModel(Model::Minimal(), "a"), changed});
  EXPECT_TRUE(run.at("results").empty());
  const Json& invocation = run.at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  ASSERT_EQ(invocation.at("toolExecutionNotifications").size(), 1U);
  const Json& notification = invocation.at("toolExecutionNotifications").at(0);
  EXPECT_EQ(notification.at("message").at("text"), "it changed {{0}}");
  EXPECT_EQ(notification.at("locations").at(0), SarifLocation("b", 1));
}

TEST(SarifReporter, NothingCheckedIsNoSuccess) {
  const Json invocation = RunOf({}).at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").at(0).at("message").at("text"),
            "nothing was checked");
}

TEST(SarifReporter, TheSameFileGivenTwiceIsOneArtifact) {
  const Json run = RunOf({JudgedModel(kRejected, "a"), JudgedModel(Model::Minimal(), "b"),
                          JudgedModel(kRejected, "a")});
  EXPECT_EQ(run.at("artifacts").size(), 2U);
  ASSERT_EQ(run.at("results").size(), 2U);
  EXPECT_EQ(run.at("results").at(0), run.at("results").at(1));
}

TEST(SarifReporter, FingerprintsInAFileDiffer) {
  Model model = kRejected;
  for (int i = 0; i < 3; ++i) {
    model.metadata.push_back(model.metadata.back());
    model.Set("text", std::vector<std::string>{"\xff", "a", "\xfe"});
    model.Add("one", TensorType::kF32, {8});
    model.Add("\xff", TensorType::kF32, {8});
  }
  std::set<std::string> seen;
  const Json run = RunOf({JudgedModel(model, "a")});
  for (const Json& result : run.at("results")) {
    seen.insert(result.at("partialFingerprints").at("ggufgateRecord/v1").get<std::string>());
  }
  EXPECT_GT(seen.size(), 5U);
  EXPECT_EQ(seen.size(), run.at("results").size());
}

TEST(SarifReporter, IsStreamed) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kSarif, Policy{}, {}, out);
  const std::size_t head = out.str().size();
  reporter->Add(JudgedModel(kRejected, "a"));
  EXPECT_GT(out.str().size(), head);
  EXPECT_TRUE(out.str().ends_with('}')) << "a result, whole";
}

TEST(SarifReporter, IsAsciiWhateverAFileSays) {
  for (const std::string& text : testing::HostileTexts()) {
    Model model = Model::Minimal().Set(text, text);
    model.Add(text, TensorType::kI8, {0});
    const std::string report = SarifReport({JudgedModel(model, text), Undecided(text, text)});
    for (const char c : report) EXPECT_TRUE((c >= ' ' && c < 0x7F) || c == '\n') << report;
  }
}

TEST(SarifReporter, FitsThePublishedSchema) {
  ASSERT_TRUE(testing::CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  if (!testing::HaveSchemas()) GTEST_SKIP() << testing::kNoSchemas;
  EXPECT_TRUE(testing::FitsSarif(SarifReport({})));
  Model hostile = Model::Minimal();
  FileReport hashed = JudgedModel(Model::Minimal(), "-");
  hashed.sha256 = std::string(64, '0');
  std::vector<FileReport> files = {hashed, JudgedModel(Model::Minimal(), "/a b"), hashed,
                                   JudgedModel(kRejected, "c:/b")};
  for (const std::string& text : testing::HostileTexts()) {
    hostile.Set(text, text);
    hostile.Add(text, TensorType::kI8, {0});
    files.push_back(Undecided(text, text));
    files.push_back(JudgedModel(hostile, text));
  }
  for (const Profile profile : kAllProfiles) {
    EXPECT_TRUE(testing::FitsSarif(SarifReport(files, profile)));
  }
}

TEST(SarifReporter, ThePublishedSchemaIsHeldToTheLetter) {
  ASSERT_TRUE(testing::CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  if (!testing::HaveSchemas()) GTEST_SKIP() << testing::kNoSchemas;
  const Json good = Json::parse(SarifReport({JudgedModel(kRejected, "a")}));
  ASSERT_TRUE(testing::FitsSarif(good.dump()));
  const auto refuses = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !testing::FitsSarif(bad.dump());
  };
  const std::string location = "/runs/0/results/0/locations/0/physicalLocation/";
  EXPECT_TRUE(refuses("/version", "2.0.0"));
  EXPECT_TRUE(refuses("/runs/0/surprise", 1));
  EXPECT_TRUE(refuses("/runs/0/results/0/level", "fatal"));
  EXPECT_TRUE(refuses((location + "region/byteOffset").c_str(), "0x40"));
  EXPECT_TRUE(refuses((location + "artifactLocation/uri").c_str(), "a b"));
  EXPECT_TRUE(refuses((location + "artifactLocation/uri").c_str(), "1:b"));
  EXPECT_TRUE(refuses("/runs/0/tool/driver/rules/0/helpUri", "docs/rules.md"));
  EXPECT_TRUE(refuses("/runs/0/artifacts/1", good.at("runs").at(0).at("artifacts").at(0)));
}

}  // namespace
}  // namespace ggufgate
