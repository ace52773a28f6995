#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "check/rule.h"
#include "parse/model.h"
#include "report/reporter.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

FileReport Accepted() {
  FileReport report;
  report.path = "model.gguf";
  report.verdict = Verdict::kAccept;
  report.summary = {.version = 3,
                    .architecture = "llama",
                    .metadata_keys = 30,
                    .tensors = 1'147,
                    .parameters = 1'235'814'432,
                    .main_type = "Q4_K",
                    .mixed_types = true};
  report.identity.size = 807'694'464;
  report.elapsed = std::chrono::microseconds(3'100);
  return report;
}

// FindingAt returns a finding about a tensor whose data are cut off.
Finding FindingAt(std::uint64_t offset, Severity severity = Severity::kError) {
  return {.rule = RuleId::kTensorDataBounds,
          .severity = severity,
          .where = {offset, 8},
          .subject = {.section = Place::Section::kTensor, .name = "blk.0.attn_q.weight"},
          .observed = std::uint64_t{4'112},
          .allowed = std::uint64_t{4'096}};
}

FileReport Rejected(std::vector<Finding> findings) {
  FileReport report;
  report.path = "evil.gguf";
  report.verdict = Verdict::kReject;
  report.findings.totals.resize(AllRules().size());
  for (const Finding& finding : findings) {
    ++report.findings.totals.at(static_cast<std::size_t>(finding.rule));
  }
  report.findings.list = std::move(findings);
  return report;
}

std::string Text(const FileReport& report, const ReportStyle& style = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kText, Policy{}, style, out);
  reporter->Add(report);
  reporter->Finish();
  return out.str();
}

TEST(TextReporter, AcceptedFilesTakeOneLine) {
  EXPECT_EQ(
      Text(Accepted()),
      "ok      model.gguf   llama 1.2B, Q4_K mostly, 1,147 tensors, 808 MB, weights not checked   "
      "3.1 ms\n");
}

TEST(TextReporter, SaysHowMuchOfTheDataAnOkCovers) {
  FileReport report = Accepted();
  report.data = DataScan::kScales;
  EXPECT_THAT(Text(report), HasSubstr("808 MB, data: scales   "));
  report.data = DataScan::kFull;
  EXPECT_THAT(Text(report), HasSubstr("808 MB, data: full   "));
  report.data = DataScan::kNone;
  report.summary.tensors = 0;
  EXPECT_THAT(Text(report), HasSubstr("no tensors, 808 MB   ")) << "nothing was left unread";
}

TEST(TextReporter, SaysThatAShardWasJudgedWithoutTheOthers) {
  FileReport report = Accepted();
  report.lone_shard_of = 3;
  EXPECT_THAT(Text(report), HasSubstr("weights not checked, one of 3 shards, checked alone   "));
}

TEST(TextReporter, WrapsUnderItsColumnOnATerminal) {
  EXPECT_EQ(Text(Accepted(), {.columns = 40}),
            "ok      model.gguf   llama 1.2B, Q4_K\n"
            "        mostly, 1,147 tensors, 808 MB,\n"
            "        weights not checked   3.1 ms\n");
  Finding finding = FindingAt(0x1a40);
  finding.cause = {.kind = Cause::Kind::kEmpty};
  const std::string text = Text(Rejected({finding}), {.columns = 60});
  EXPECT_THAT(text, HasSubstr("\n  0x1a40  error[tensor-data-bounds] blk.0.attn_q.weight:\n"
                              "          data ends at byte 4,112"));
  for (const std::string& line : testing::Lines(text)) EXPECT_LE(line.size(), 60U) << line;
}

TEST(TextReporter, SummariesFitWhatIsThere) {
  FileReport report = Accepted();
  report.summary.mixed_types = false;
  report.summary.tensors = 1;
  EXPECT_THAT(Text(report), HasSubstr("llama 1.2B, Q4_K, 1 tensor, 808 MB"));
  report.summary.architecture.clear();
  EXPECT_THAT(Text(report), HasSubstr("no architecture, 1.2B, Q4_K, 1 tensor, 808 MB"));
  report.summary = {};
  EXPECT_THAT(Text(report), HasSubstr("no architecture, no tensors, 808 MB"));
  report.summary.sidecar = "importance matrix";
  EXPECT_THAT(Text(report), HasSubstr("importance matrix, no tensors, 808 MB"));
  report.summary.sidecar = "LoRA adapter";
  report.summary.architecture = "llama";
  report.summary.rank = 16;
  EXPECT_THAT(
      Text(report),
      HasSubstr("LoRA adapter for llama, rank 16 (load it with its model and --lora), no tensors"));
}

TEST(TextReporter, RejectedFilesHaveTheirFindingsUnderThem) {
  EXPECT_EQ(Text(Rejected({FindingAt(0x1a40), FindingAt(0x20000, Severity::kWarning)})),
            "reject  evil.gguf\n"
            "  0x1a40  error[tensor-data-bounds] blk.0.attn_q.weight: data ends at byte 4,112; the "
            "file has 4,096: 16 bytes missing\n"
            "  0x20000  warning[tensor-data-bounds] blk.0.attn_q.weight: data ends at byte 4,112; "
            "the file has 4,096: 16 bytes missing\n");
}

TEST(TextReporter, TellsTheCauseUnderTheFinding) {
  Finding finding = FindingAt(0x1a40);
  finding.cause = {.kind = Cause::Kind::kCutShort, .a = 4'096, .b = 4'112};
  EXPECT_THAT(Text(Rejected({finding})),
              HasSubstr("missing\n"
                        "          the file was cut short: 4,096 bytes of 4,112 bytes are there; "
                        "fetch it again\n"));
}

TEST(TextReporter, AFindingOnTheWholeFileNamesNoRecord) {
  Finding finding{.rule = RuleId::kFileTooShort};
  finding.observed = std::uint64_t{0};
  finding.allowed = std::uint64_t{24};
  EXPECT_THAT(Text(Rejected({finding})),
              HasSubstr("  0x0  error[file-too-short] the file has 0 bytes; the header alone"));
}

TEST(TextReporter, CountsNotesAndShowsThemWhenVerbose) {
  FileReport report = Rejected({FindingAt(1, Severity::kNote), FindingAt(2, Severity::kNote)});
  EXPECT_EQ(Text(report), "reject  evil.gguf\n  2 notes (--verbose shows them)\n");
  const std::string verbose = Text(report, {.verbose = true});
  EXPECT_THAT(verbose, HasSubstr("  0x2  note[tensor-data-bounds] blk.0"));
  EXPECT_THAT(verbose, Not(HasSubstr("--verbose")));

  report.findings.list.pop_back();
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kTensorDataBounds)) = 1;
  EXPECT_THAT(Text(report), HasSubstr("  1 note (--verbose shows them)\n"));
}

TEST(TextReporter, AcceptedFilesHaveTheirWarningsUnderThem) {
  FileReport report = Accepted();
  report.findings = Rejected({FindingAt(1, Severity::kWarning)}).findings;
  EXPECT_THAT(Text(report), HasSubstr("ok      model.gguf"));
  EXPECT_THAT(Text(report), HasSubstr("\n  0x1  warning[tensor-data-bounds]"));
}

TEST(TextReporter, QuietSaysNothingAboutAcceptedFiles) {
  FileReport accepted = Accepted();
  accepted.findings = Rejected({FindingAt(1, Severity::kWarning)}).findings;
  EXPECT_THAT(Text(accepted, {.quiet = true}), IsEmpty());
  const FileReport rejected = Rejected({FindingAt(1), FindingAt(2, Severity::kNote)});
  const std::string quiet = Text(rejected, {.quiet = true});
  EXPECT_THAT(quiet, HasSubstr("reject  evil.gguf\n  0x1  error"));
  EXPECT_THAT(quiet, Not(HasSubstr("note")));
  FileReport undecided;
  undecided.problem = absl::AbortedError("the file changed while it was read");
  EXPECT_THAT(Text(undecided, {.quiet = true}), HasSubstr("undecided"));
}

TEST(TextReporter, TellsHowManyFindingsAreNotShown) {
  FileReport report = Rejected({FindingAt(1)});
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kTensorDataBounds)) = 1'235;
  EXPECT_THAT(Text(report), HasSubstr("\n  … and 1,234 more of tensor-data-bounds\n"));
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kTensorDataBounds)) = 1;
  EXPECT_THAT(Text(report), Not(HasSubstr("more of")));
}

TEST(TextReporter, UndecidedFilesSayWhyAndShowNoFindings) {
  FileReport report = Rejected({FindingAt(1)});
  report.verdict = Verdict::kUndecided;
  report.problem = absl::AbortedError("the file changed while it was read");
  EXPECT_EQ(Text(report), "undecided  evil.gguf: the file changed while it was read\n");
}

TEST(TextReporter, EscapesAllTextOfTheFileAndItsName) {
  const std::string hostile = "\x1b[2J\n\xff\xc2\x9b\xe2\x80\xae";
  FileReport accepted = Accepted();
  accepted.path = hostile;
  accepted.summary.architecture = hostile;
  Finding finding = FindingAt(1);
  finding.subject.name = hostile;
  finding.rule = RuleId::kTensorOverlap;
  finding.observed = finding.allowed = finding.other = hostile;
  FileReport rejected = Rejected({finding});
  rejected.path = hostile;
  FileReport undecided;
  undecided.path = hostile;
  undecided.problem = absl::InternalError(hostile);

  EXPECT_TRUE(testing::IsHarmless(Text(accepted)));
  EXPECT_EQ(testing::Lines(Text(accepted)).size(), 1U);
  EXPECT_TRUE(testing::IsHarmless(Text(rejected)));
  EXPECT_EQ(testing::Lines(Text(rejected)).size(), 2U);
  EXPECT_TRUE(testing::IsHarmless(Text(undecided)));
  EXPECT_EQ(testing::Lines(Text(undecided)).size(), 1U);
}

TEST(TextReporter, ColoursWordsOfOursOnly) {
  const ReportStyle colour{.colour = true};
  EXPECT_THAT(Text(Accepted(), colour), HasSubstr("\x1b[32mok\x1b[0m      model.gguf   llama"));
  const std::string text = Text(Rejected({FindingAt(1), FindingAt(2, Severity::kWarning)}), colour);
  EXPECT_THAT(text, HasSubstr("\x1b[1;31mreject\x1b[0m  evil.gguf\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[1;31merror[tensor-data-bounds]\x1b[0m blk.0"));
  EXPECT_THAT(text, HasSubstr("\x1b[33mwarning[tensor-data-bounds]\x1b[0m blk.0"));
}

}  // namespace
}  // namespace ggufgate
