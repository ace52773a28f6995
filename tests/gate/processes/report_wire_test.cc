#include "gate/processes/report_wire.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "check/rule.h"
#include "format/contracts/contract_table.h"
#include "format/loader_limits.h"
#include "tests/support/rules/contracts_file.h"

namespace ggufgate {
namespace {

// The reports of all files of the corpus for one profile.
std::vector<FileReport> CorpusReports(const JudgeOptions& options) {
  std::vector<FileReport> reports;
  for (const char* folder : {"corpus/valid", "corpus/invalid"}) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      reports.push_back(JudgePath(file.path().string(), options));
    }
  }
  return reports;
}

FileReport Rejected() {
  return JudgePath("corpus/invalid/tensor-data-bounds.gguf", JudgeOptions());
}

bool IsRead(const FileReport& report) {
  return ReadReport(WriteReport(report), Policy()).has_value();
}

TEST(ReportWire, BringsEveryReportOfTheCorpus) {
  JudgeOptions options;
  options.sha256 = true;
  options.policy.data = DataScan::kFull;
  const std::vector<FileReport> reports = CorpusReports(options);
  ASSERT_GT(reports.size(), 400U);
  std::uint64_t shards = 0;
  for (const FileReport& report : reports) {
    const std::vector<std::uint8_t> bytes = WriteReport(report);
    const std::optional<FileReport> read = ReadReport(bytes, options.policy);
    ASSERT_TRUE(read) << report.path;
    EXPECT_EQ(WriteReport(*read), bytes) << report.path;
    EXPECT_EQ(read->verdict, report.verdict) << report.path;
    EXPECT_EQ(read->sha256, report.sha256) << report.path;
    EXPECT_EQ(read->findings.list.size(), report.findings.list.size()) << report.path;
    EXPECT_EQ(read->identity, report.identity) << report.path;
    if (report.shard) ++shards;
  }
  EXPECT_GT(shards, 0U);
}

TEST(ReportWire, BringsAProblem) {
  const FileReport missing = JudgePath("corpus/no such file", JudgeOptions());
  const std::optional<FileReport> read = ReadReport(WriteReport(missing), Policy());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->verdict, Verdict::kUndecided);
  EXPECT_EQ(read->problem.code(), missing.problem.code());
  EXPECT_EQ(read->problem.message(), missing.problem.message());
}

TEST(ReportWire, RefusesAReportThatIsNotWhole) {
  const std::vector<std::uint8_t> bytes = WriteReport(Rejected());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadReport(Bytes(bytes).first(size), Policy())) << size;
  }
  std::vector<std::uint8_t> more = bytes;
  more.push_back(0);
  EXPECT_FALSE(ReadReport(more, Policy()));
}

// The decoded report has exactly the encoded values: the decoder corrects no number and ignores
// none.
TEST(ReportWire, TakesNoBitForAnother) {
  const std::vector<std::uint8_t> bytes = WriteReport(Rejected());
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::vector<std::uint8_t> changed = bytes;
    changed.at(bit / 8) ^= static_cast<std::uint8_t>(1U << bit % 8);
    const std::optional<FileReport> read = ReadReport(changed, Policy());
    if (!read) {
      ++refused;
    } else {
      EXPECT_EQ(WriteReport(*read), changed) << "bit " << bit;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(ReportWire, RefusesAVerdictThatTheFindingsContradict) {
  FileReport report = Rejected();
  ASSERT_TRUE(IsRead(report));
  report.verdict = Verdict::kAccept;
  EXPECT_FALSE(IsRead(report));
  report.findings = {};
  EXPECT_TRUE(IsRead(report)) << "an accepted file has no findings: that cannot be seen from here";
  report.verdict = Verdict::kReject;
  EXPECT_FALSE(IsRead(report));
  report.verdict = Verdict::kUndecided;
  EXPECT_FALSE(IsRead(report)) << "nobody says why";
  report.problem = absl::DataLossError("short");
  EXPECT_TRUE(IsRead(report));
  report.verdict = Verdict::kAccept;
  EXPECT_FALSE(IsRead(report)) << "with a problem";
}

TEST(ReportWire, HoldsTheVerdictAgainstThePolicy) {
  FileReport report = Rejected();
  Policy policy;
  for (Finding& finding : report.findings.list) finding.severity = Severity::kWarning;
  report.verdict = Verdict::kAccept;
  EXPECT_TRUE(ReadReport(WriteReport(report), policy));
  policy.fail_on = Severity::kWarning;
  EXPECT_FALSE(ReadReport(WriteReport(report), policy));
}

TEST(ReportWire, RefusesCountsThatDoNotAgree) {
  FileReport report = Rejected();
  const auto rule = static_cast<std::size_t>(report.findings.list.front().rule);
  report.findings.totals.at(rule) = 0;
  EXPECT_FALSE(IsRead(report)) << "a finding that was not counted";
  report = Rejected();
  report.findings.totals.pop_back();
  EXPECT_FALSE(IsRead(report)) << "a rule less";
  report = Rejected();
  report.findings.totals.clear();
  report.findings.suppressed.clear();
  EXPECT_FALSE(IsRead(report)) << "findings without counts";
}

// The releases of a finding are loaders of the policy, in its order, each once.
TEST(ReportWire, RefusesALoaderThatThePolicyDoesNotName) {
  const auto table = [](std::string_view release) {
    const Contract& any = AllContracts().front();
    return testing::TableOf(testing::ContractsFile(release, testing::BlockText(any)));
  };
  Policy policy;
  policy.loaders = {table("a"), table("b"), table("c")};
  const auto is_read = [&](std::vector<std::string> releases) {
    FileReport report = Rejected();
    report.findings.list.front().releases = std::move(releases);
    const std::optional<FileReport> read = ReadReport(WriteReport(report), policy);
    if (read) {
      EXPECT_EQ(read->findings.list.front().releases, report.findings.list.front().releases);
    }
    return read.has_value();
  };
  EXPECT_TRUE(is_read({}));
  EXPECT_TRUE(is_read({"a"}));
  EXPECT_TRUE(is_read({"a", "c"}));
  EXPECT_TRUE(is_read({"a", "b", "c"}));
  EXPECT_FALSE(is_read({"d"}));
  EXPECT_FALSE(is_read({"c", "a"}));
  EXPECT_FALSE(is_read({"b", "b"}));
  EXPECT_FALSE(is_read({""}));
  policy.loaders.clear();
  EXPECT_FALSE(is_read({"a"}));
}

TEST(ReportWire, RefusesAWordingThatTheRuleDoesNotHave) {
  FileReport report = Rejected();
  Finding& finding = report.findings.list.front();
  const std::size_t wordings = RuleOf(finding.rule).messages.size();
  finding.wording = static_cast<std::uint8_t>(wordings - 1);
  EXPECT_TRUE(IsRead(report));
  finding.wording = static_cast<std::uint8_t>(wordings);
  EXPECT_FALSE(IsRead(report));
}

TEST(ReportWire, RefusesTextLongerThanItMayBe) {
  FileReport report = Rejected();
  std::string& name = report.findings.list.front().subject.name;
  name.assign(Subject::kLongestText, 'x');
  EXPECT_TRUE(IsRead(report));
  name += 'x';
  EXPECT_FALSE(IsRead(report));
}

TEST(ReportWire, RefusesADigestThatIsNone) {
  FileReport report = Rejected();
  report.sha256 = std::string(64, 'a');
  EXPECT_TRUE(IsRead(report));
  report.sha256 = std::string(63, 'a');
  EXPECT_FALSE(IsRead(report));
  report.sha256 = std::string(63, 'a') + "\n";
  EXPECT_FALSE(IsRead(report));
}

// Offsets are added to, so none may be so large that a sum overflows.
TEST(ReportWire, RefusesPlacesThatNoFileHas) {
  FileReport report = Rejected();
  report.shard =
      ShardFacts{.directory = {{.begin = kMaximumSize}}, .key_places = {{.begin = kMaximumSize}}};
  EXPECT_TRUE(IsRead(report));
  report.shard->directory.front().begin += 1;
  EXPECT_FALSE(IsRead(report));
  report.shard->directory.front().begin = 0;
  report.shard->key_places.front().begin += 1;
  EXPECT_FALSE(IsRead(report));
}

TEST(ReportWire, BringsHowMuchCameAndRefusesMoreThanThereIs) {
  FileReport report = Rejected();
  for (const std::uint64_t less : {1U, 0U}) {
    report.came = report.identity.size - less;
    EXPECT_EQ(ReadReport(WriteReport(report), Policy())->came, report.came);
  }
  report.came = report.identity.size + 1;
  EXPECT_FALSE(IsRead(report));
}

TEST(ReportWire, RefusesNamesOfTensorsOutsideTheirText) {
  FileReport report = Rejected();
  report.shard = ShardFacts{.names = "abc", .directory = {{.name = {.begin = 1, .size = 2}}}};
  EXPECT_TRUE(IsRead(report));
  report.shard->directory.front().name.size = 3;
  EXPECT_FALSE(IsRead(report));
}

TEST(ReportWire, RefusesTensorsOfMoreDimensionsThanAreKept) {
  FileReport report = Rejected();
  report.shard = ShardFacts{.directory = {{.dimension_count = kReadDimensions}}};
  EXPECT_TRUE(IsRead(report));
  report.shard->directory.front().dimension_count = kReadDimensions + 1;
  EXPECT_FALSE(IsRead(report));
}

// A count of 2^61 without elements must not allocate memory.
TEST(ReportWire, MakesNoRoomForAClaim) {
  std::vector<std::uint8_t> bytes = WriteReport(FileReport{.problem = absl::AbortedError("")});
  constexpr std::size_t kAtFindings = 3 * sizeof(std::uint64_t);  // verdict, code, length
  bytes.at(kAtFindings + 7) = 0x20;
  EXPECT_FALSE(ReadReport(bytes, Policy()));
}

}  // namespace
}  // namespace ggufgate
