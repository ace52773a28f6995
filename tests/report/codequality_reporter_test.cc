#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "parse/model.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate {
namespace {

using testing::JudgedModel;
using Json = nlohmann::ordered_json;
using testing::CanValidate;
using testing::FitsSchema;
using ::testing::HasSubstr;
using testing::kNoted;
using testing::kRejected;
using testing::kWarned;

std::string QualityReport(const std::vector<FileReport>& files, const ReportStyle& style = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kCodequality, Policy{}, style, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return out.str();
}

Json Issues(const std::vector<FileReport>& files, const ReportStyle& style = {}) {
  return Json::parse(QualityReport(files, style));
}

TEST(CodequalityReporter, SoundFilesHaveNoIssues) {
  EXPECT_EQ(QualityReport({JudgedModel(Model::Minimal(), "a")}), "[]\n");
}

TEST(CodequalityReporter, AFindingIsAnIssueOfItsFile) {
  const Json issues = Issues({JudgedModel(kRejected, "models/a.gguf")});
  ASSERT_EQ(issues.size(), 1U);
  const Json& issue = issues.at(0);
  EXPECT_EQ(issue.at("check_name"), "key-empty");
  EXPECT_EQ(issue.at("description"), "metadata[1]: the key is empty (at byte 0x44)");
  EXPECT_EQ(issue.at("severity"), "critical");
  EXPECT_EQ(issue.at("location").dump(), R"({"path":"models/a.gguf","lines":{"begin":1}})");
}

TEST(CodequalityReporter, SeveritiesFollowOursAndWhatComesOfIt) {
  EXPECT_EQ(Issues({JudgedModel(kWarned, "a")}).at(0).at("severity"), "minor");
  EXPECT_EQ(Issues({JudgedModel(kNoted, "a")}).size(), 0U) << "notes are for --verbose";
  EXPECT_EQ(Issues({JudgedModel(kNoted, "a")}, {.verbose = true}).at(0).at("severity"), "info");
  Model model = Model::Minimal();
  model.tensors.front().dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
  EXPECT_THAT(QualityReport({JudgedModel(model, "a")}), HasSubstr(R"("severity":"blocker")"));
}

TEST(CodequalityReporter, AnUndecidedFileIsABlocker) {
  FileReport report = JudgedModel(kRejected, "a");
  report.verdict = Verdict::kUndecided;
  report.problem = absl::AbortedError("the file changed");
  const Json issues = Issues({report});
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues.at(0).at("check_name"), "undecided");
  EXPECT_EQ(issues.at(0).at("description"), "undecided: the file changed");
  EXPECT_EQ(issues.at(0).at("severity"), "blocker");
}

TEST(CodequalityReporter, FingerprintsStayAndDiffer) {
  const auto fingerprint = [](const Json& issue) {
    return issue.at("fingerprint").get<std::string>();
  };
  const FileReport bad = JudgedModel(kRejected, "a");
  const std::string first = fingerprint(Issues({bad}).at(0));
  EXPECT_EQ(fingerprint(Issues({JudgedModel(Model::Minimal(), "b"), bad}).at(0)), first);
  EXPECT_EQ(fingerprint(Issues({JudgedModel(kRejected, "./a")}).at(0)), first);
  std::set<std::string> seen;
  for (const Json& issue : Issues({bad, bad, JudgedModel(kRejected, "b")})) {
    seen.insert(fingerprint(issue));
  }
  EXPECT_EQ(seen.size(), 3U) << "also where a path is given twice";
  EXPECT_TRUE(seen.contains(first));
  // If a file is given twice, its findings have other fingerprints, the same in every run.
  const Json twice = Issues({bad, bad});
  EXPECT_EQ(fingerprint(Issues({bad, bad}).at(1)), fingerprint(twice.at(1)));
  EXPECT_EQ(fingerprint(Issues({bad, JudgedModel(Model::Minimal(), "b"), bad}).at(1)),
            fingerprint(twice.at(1)));
}

TEST(CodequalityReporter, CountsWhatItDoesNotList) {
  FileReport report = JudgedModel(kRejected, "a");
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kKeyEmpty)) = 1'001;
  const Json issues = Issues({report});
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues.at(1).at("description"), "and 1,000 more");
}

TEST(CodequalityReporter, FitsItsSchemaWhateverIsInTheFiles) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  std::vector<FileReport> files;
  for (const std::string& text : testing::HostileTexts()) {
    files.push_back(JudgedModel(Model::Minimal().Set(text, text).Set("", text), "./x" + text));
  }
  const std::string report = QualityReport(files, {.verbose = true});
  EXPECT_TRUE(testing::IsHarmless(report));
  EXPECT_TRUE(FitsSchema(report, "codequality"));
  EXPECT_FALSE(FitsSchema(R"([{"description":"a"}])", "codequality"));
}

}  // namespace
}  // namespace ggufgate
