#include "report/json_value.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "check/rule.h"
#include "gate/file_report.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;

std::vector<std::string> NamesIn(const Json& json) {
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  return names;
}

Finding SomeFinding() {
  return {.rule = RuleId::kTensorDataBounds,
          .severity = Severity::kWarning,
          .where = {93, 8},
          .subject = {.section = Place::Section::kTensor, .name = "t\x1b"},
          .observed = std::uint64_t{160},
          .allowed = std::uint64_t{120}};
}

TEST(JsonOfFact, KeepsNumbersExactAndTextEscaped) {
  EXPECT_EQ(JsonOf(Fact{}), Json(nullptr));
  EXPECT_EQ(JsonOf(Fact{UINT64_MAX}).dump(), "18446744073709551615");
  EXPECT_EQ(JsonOf(Fact{std::uint64_t{0}}).dump(), "0");
  EXPECT_EQ(JsonOf(Fact{std::string("a\xff\\")}), Json("a\\xff\\\\"));
  EXPECT_EQ(JsonOf(Fact{std::string()}), Json("")) << "empty text is not nothing";
}

TEST(JsonOfFinding, HoldsEveryField) {
  const Json json = JsonOf(SomeFinding());
  EXPECT_THAT(NamesIn(json), ElementsAre("rule", "severity", "offset", "length", "path", "message",
                                         "observed", "allowed"));
  EXPECT_EQ(json.at("rule"), "tensor-data-bounds");
  EXPECT_EQ(json.at("severity"), "warning");
  EXPECT_EQ(json.at("offset"), 93);
  EXPECT_EQ(json.at("length"), 8);
  EXPECT_EQ(json.at("path"), "t\\x1b");
  EXPECT_EQ(json.at("message"), "data ends at byte 160; the file has 120: 40 bytes missing");
  EXPECT_EQ(json.at("observed"), 160);
  EXPECT_EQ(json.at("allowed"), 120);
}

TEST(JsonOfFinding, HoldsTheCauseWhenThereIsOne) {
  Finding finding = SomeFinding();
  finding.cause = {.kind = Cause::Kind::kHtml};
  const Json cause = JsonOf(finding).at("cause");
  EXPECT_THAT(NamesIn(cause), ElementsAre("id", "message", "advice"));
  EXPECT_EQ(cause.at("id"), "html");
  EXPECT_EQ(cause.at("message"), InfoOf(Cause::Kind::kHtml).happened);
  EXPECT_EQ(cause.at("advice"), InfoOf(Cause::Kind::kHtml).advice);
}

TEST(JsonOfFileReport, OfAFileNeverOpenedIsWholeAllTheSame) {
  FileReport report;
  report.path = "none.gguf";
  report.problem = absl::NotFoundError("cannot open: No such file or directory");
  const Json json = JsonOf(report, Policy{});
  EXPECT_THAT(NamesIn(json), ElementsAre("path", "verdict", "problem", "findings", "totals",
                                         "summary", "identity", "data", "elapsed_ms"));
  EXPECT_EQ(json.at("verdict"), "undecided");
  EXPECT_EQ(json.at("problem"), "cannot open: No such file or directory");
  EXPECT_EQ(json.at("findings"), Json::array());
  EXPECT_EQ(json.at("totals"), Json::object());
}

TEST(JsonOfFileReport, HoldsVerdictSummaryAndIdentity) {
  FileReport report;
  report.path = "a";
  report.verdict = Verdict::kAccept;
  report.summary = {.version = 3,
                    .architecture = "ll\nama",
                    .metadata_keys = 1,
                    .tensors = 2,
                    .parameters = UINT64_MAX,
                    .main_type = "Q4_K",
                    .mixed_types = true};
  report.identity = {.size = 10, .device = 11, .inode = 12, .modified_ns = -13, .changed_ns = 14};
  report.sha256 = std::string(64, 'a');
  report.elapsed = std::chrono::microseconds(1'500);
  const Json json = JsonOf(report, Policy{});
  EXPECT_FALSE(json.contains("problem"));
  EXPECT_EQ(json.at("verdict"), "accept");
  EXPECT_EQ(json.at("summary").dump(),
            R"({"version":3,"architecture":"ll\\x0aama","metadata_keys":1,"tensors":2,)"
            R"("parameters":18446744073709551615,"main_type":"Q4_K"})");
  EXPECT_EQ(json.at("identity").dump(),
            R"({"size":10,"device":11,"inode":12,"modified_ns":-13,"changed_ns":14})");
  EXPECT_EQ(json.at("sha256"), std::string(64, 'a'));
  EXPECT_EQ(json.at("elapsed_ms"), 1.5);
}

TEST(JsonOfFileReport, CountsAllThatFiredKeptOrNot) {
  FileReport report;
  report.findings.list = {SomeFinding()};
  report.findings.totals.resize(AllRules().size());
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kTensorDataBounds)) = 1'000;
  EXPECT_EQ(JsonOf(report, Policy{}).at("totals").dump(), R"({"tensor-data-bounds":1000})");
  EXPECT_EQ(JsonOf(report, Policy{}).at("findings").size(), 1U);
}

TEST(JsonOfFileReport, ListsFindingsOfEverySeverity) {
  FileReport report;
  for (const Severity severity : {Severity::kNote, Severity::kError, Severity::kWarning}) {
    Finding finding = SomeFinding();
    finding.severity = severity;
    report.findings.list.push_back(finding);
  }
  const Json json = JsonOf(report, Policy{});
  std::vector<std::string> severities;
  for (const Json& finding : json.at("findings")) severities.push_back(finding.at("severity"));
  EXPECT_THAT(severities, ElementsAre("note", "error", "warning"));
}

TEST(JsonOfFileReport, GivesTheBytesOfANameThatHadToBeEscaped) {
  FileReport report;
  for (const char* plain : {"model.gguf", "日本語 \"x\".gguf", "-", ""}) {
    report.path = plain;
    EXPECT_FALSE(JsonOf(report, Policy{}).contains("path_hex")) << plain;
    EXPECT_EQ(JsonOf(report, Policy{}).at("path"), plain);
  }
  report.path = "a\x1b\xff\n";
  EXPECT_EQ(JsonOf(report, Policy{}).at("path"), "a\\x1b\\xff\\x0a");
  EXPECT_EQ(JsonOf(report, Policy{}).at("path_hex"), "611bff0a");
  report.path = "a\\x1b";
  EXPECT_EQ(JsonOf(report, Policy{}).at("path_hex"), "615c783162") << "a backslash is escaped, too";
}

}  // namespace
}  // namespace ggufgate
