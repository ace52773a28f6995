#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using testing::JudgedModel;
using testing::kRejected;
using testing::kWarned;
using ::testing::Not;
using ::testing::StartsWith;
using testing::Undecided;
using testing::WithoutTimes;

std::string JunitReport(const std::vector<FileReport>& files, const Policy& policy = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kJunit, policy, {}, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return WithoutTimes(out.str());
}

TEST(JunitReporter, OfNothingHasNoCases) {
  EXPECT_EQ(JunitReport({}), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ggufgate">
</testsuites>
)");
}

TEST(JunitReporter, ASoundFileIsACaseThatPasses) {
  EXPECT_THAT(JunitReport({JudgedModel(Model::Minimal(), "a.gguf")}),
              HasSubstr("    <testcase name=\"a.gguf\" classname=\"ggufgate\" time=\"TIME\">\n"
                        "    </testcase>\n"));
}

TEST(JunitReporter, EveryFileIsASuite) {
  EXPECT_EQ(JunitReport({JudgedModel(Model::Minimal(), "a<b")}),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ggufgate">
  <testsuite name="a&#x3c;b" tests="1" failures="0" errors="0" time="TIME">
    <properties>
      <property name="version" value=")" GGUFGATE_VERSION R"("/>
      <property name="profile" value="gate"/>
    </properties>
    <testcase name="a&#x3c;b" classname="ggufgate" time="TIME">
    </testcase>
  </testsuite>
</testsuites>
)");
}

// An earlier version held back the findings of all files: 2.5 GB for 121 files, under a policy that
// keeps 1,000 findings per rule.
TEST(JunitReporter, WritesAFileBeforeTheNextOneComes) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kJunit, {}, {}, out);
  const FileReport rejected = JudgedModel(kRejected, "a");
  for (int i = 1; i <= 3; ++i) {
    out.str("");
    reporter->Add(rejected);
    EXPECT_THAT(out.str(), HasSubstr("error[key-empty] metadata[1]"));
    EXPECT_TRUE(out.str().ends_with("  </testsuite>\n"));
  }
  out.str("");
  reporter->Finish();
  EXPECT_EQ(out.str(), "</testsuites>\n");
}

TEST(JunitReporter, CountsAndNamesTheProfile) {
  const std::string text =
      JunitReport({JudgedModel(Model::Minimal(), "a"), JudgedModel(kRejected, "b"),
                   Undecided("c", "why"), JudgedModel(kRejected, "d")},
                  PolicyFor(Profile::kSpec));
  for (const char* suite : {"<testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\"",
                            "<testsuite name=\"b\" tests=\"1\" failures=\"1\" errors=\"0\"",
                            "<testsuite name=\"c\" tests=\"1\" failures=\"0\" errors=\"1\"",
                            "<testsuite name=\"d\" tests=\"1\" failures=\"1\" errors=\"0\""}) {
    EXPECT_THAT(text, HasSubstr(suite));
  }
  EXPECT_THAT(text, HasSubstr("<property name=\"profile\" value=\"spec\"/>"));
}

TEST(JunitReporter, ARejectedFileFailsWithALineAFinding) {
  Model model = kRejected;
  model.metadata.push_back(model.metadata.back());
  EXPECT_THAT(
      JunitReport({JudgedModel(model, "a")}),
      HasSubstr("      <failure type=\"reject\" message=\"error[key-empty] metadata[1]: the key is "
                "empty (at byte 0x44)\">error[key-empty] metadata[1]: the key is empty (at byte "
                "0x44)\nerror[key-empty] metadata[2]: "));
}

TEST(JunitReporter, AnUndecidedFileIsAnErrorAndItsFindingsDoNotCount) {
  FileReport report = JudgedModel(kRejected, "a");
  report.verdict = Verdict::kUndecided;
  report.problem = absl::AbortedError("it changed");
  const std::string text = JunitReport({report});
  EXPECT_THAT(text, HasSubstr("      <error type=\"undecided\" message=\"it changed\"></error>\n"));
  EXPECT_THAT(text, Not(HasSubstr("key-empty")));
}

TEST(JunitReporter, WhatDoesNotRejectIsOutput) {
  const std::string text = JunitReport({JudgedModel(kWarned, "a")});
  EXPECT_THAT(text, HasSubstr("      <system-out>warning[string-utf8] text: "));
  EXPECT_THAT(text, HasSubstr("failures=\"0\""));
}

TEST(JunitReporter, FailOnMovesTheBorder) {
  JudgeOptions options;
  options.policy.fail_on = Severity::kWarning;
  const std::string text = JunitReport({JudgedModel(kWarned, "a", options)}, options.policy);
  EXPECT_THAT(text, HasSubstr("<failure type=\"reject\" message=\"warning[string-utf8] text: "));
  EXPECT_THAT(text, Not(HasSubstr("<system-out>")));
}

TEST(JunitReporter, CountsWhatItDoesNotList) {
  Model model = Model::Minimal();
  for (int i = 0; i < 25; ++i) model.Set("bad key" + std::to_string(i) + "\x7f", std::uint32_t{1});
  EXPECT_THAT(JunitReport({JudgedModel(model, "a")}), HasSubstr("and 5 more of key-characters\n"));
}

TEST(JunitReporter, IsAsciiWhateverAFileSays) {
  for (const std::string& text : testing::HostileTexts()) {
    Model model = Model::Minimal().Set(text, text);
    model.Add(text, TensorType::kI8, {0});
    const std::string report = JunitReport({JudgedModel(model, text), Undecided(text, text)});
    for (const char c : report) EXPECT_TRUE((c >= ' ' && c < 0x7F) || c == '\n') << report;
  }
}

TEST(JunitReporter, FitsThePublishedSchema) {
  if (!testing::HaveSchemas()) GTEST_SKIP() << testing::kNoSchemas;
  EXPECT_TRUE(testing::FitsJunit(JunitReport({})));
  Model hostile = Model::Minimal();
  std::vector<FileReport> files = {JudgedModel(Model::Minimal(), "a"), JudgedModel(kWarned, "b")};
  for (const std::string& text : testing::HostileTexts()) {
    hostile.Set(text, text);
    hostile.Add(text, TensorType::kI8, {0});
    files.push_back(Undecided(text, text));
    files.push_back(JudgedModel(hostile, text));
  }
  const std::string report = JunitReport(files);
  EXPECT_TRUE(testing::FitsJunit(report));
  EXPECT_FALSE(testing::FitsJunit(report.substr(0, report.size() - 20)));
  EXPECT_FALSE(testing::FitsJunit("<testsuites surprise=\"1\"/>"));
}

}  // namespace
}  // namespace ggufgate
