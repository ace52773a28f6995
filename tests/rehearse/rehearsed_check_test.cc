// ggufgate check --rehearse, with the loader of hostile_loader.c.

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/rule.h"
#include "check/wording.h"
#include "cli/check/rehearsals.h"
#include "format/shard_name.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

Model ModelThat(const std::string& act) {
  Model model = Model::Minimal();
  model.Set("general.description", "act:" + act + ";");
  return model;
}

class RehearsedCheckTest : public ::testing::Test {
 protected:
  std::string FileThat(const std::string& act) {
    return folder_.Write(act.substr(0, act.find(' ')) + ".gguf", Write(ModelThat(act)));
  }
  std::string PolicyWith(const std::string& lines) {
    return folder_.WriteText("policy.toml", "schema = \"ggufgate.policy/1\"\n" + lines);
  }
  static CommandResult Check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"check", "--rehearse", GGUFGATE_HOSTILE_LOADER});
    return RunCommand(arguments);
  }

  TempFolder folder_;
};

TEST_F(RehearsedCheckTest, AFileThatRunsIsAccepted) {
  const CommandResult result = Check({FileThat("nothing")});
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("runs in the rehearsal"));
}

TEST_F(RehearsedCheckTest, ACrashAndARefusalAreFindings) {
  const CommandResult crash = Check({FileThat("exit")});
  EXPECT_EQ(crash.exit_code, 1);
  EXPECT_THAT(crash.out, HasSubstr("error[rehearsal-crash] the loader crashes in stage load"));
  const CommandResult refusal = Check({FileThat("say x")});
  EXPECT_EQ(refusal.exit_code, 1);
  EXPECT_THAT(refusal.out, HasSubstr("error[rehearsal-refused] the loader refuses the model"));
}

TEST_F(RehearsedCheckTest, WithoutAResultAFileIsUndecided) {
  const CommandResult killed = Check({FileThat("kill")});
  EXPECT_EQ(killed.exit_code, 2);
  EXPECT_THAT(killed.out, HasSubstr("not rehearsed"));
  const CommandResult input = Check({"-"});
  EXPECT_EQ(input.exit_code, 2);
  EXPECT_THAT(input.error, HasSubstr("can be read only once"));
  EXPECT_EQ(
      RunCommand({"check", "--rehearse", "/no/such/library.so", FileThat("nothing")}).exit_code, 2);
}

// The name of a model in a store may be the path of another file.
TEST_F(RehearsedCheckTest, ModelsOfStoresAreUndecided) {
  const std::string revision = "models--o--r/snapshots/abc";
  folder_.MakeFolder("cache");
  folder_.MakeFolder("cache/models--o--r");
  folder_.MakeFolder("cache/models--o--r/blobs");
  folder_.MakeFolder("cache/models--o--r/snapshots");
  folder_.MakeFolder("cache/" + revision);
  folder_.Write("cache/models--o--r/blobs/1", Write(ModelThat("exit")));
  folder_.Link("cache/" + revision + "/model.gguf", "../../blobs/1");
  const CommandResult result = Check({"--huggingface", folder_.Path("cache")});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("a model of a store"));
}

TEST_F(RehearsedCheckTest, RejectedFilesAreNotRehearsed) {
  std::vector<std::uint8_t> bytes = Write(ModelThat("exit"));
  bytes.at(0) = 'X';
  const CommandResult result = Check({"--format", "json", folder_.Write("bad.gguf", bytes)});
  EXPECT_EQ(result.exit_code, 1);
  const Json file = Json::parse(result.out).at("files").at(0);
  EXPECT_FALSE(file.contains("rehearsal"));
  EXPECT_FALSE(file.at("totals").contains("rehearsal-crash"));
}

TEST_F(RehearsedCheckTest, ReportsOfManyFilesFitTheSchema) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  const CommandResult result = Check({"--format", "json", FileThat("exit"), FileThat("nothing")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));
  const Json files = Json::parse(result.out).at("files");
  EXPECT_EQ(files.at(0).at("rehearsal").at("outcome"), "crashes");
  EXPECT_EQ(files.at(1).at("rehearsal").at("outcome"), "runs");
  EXPECT_EQ(files.at(1).at("rehearsal").at("loader"), GGUFGATE_HOSTILE_LOADER);
}

TEST_F(RehearsedCheckTest, ShardsAreRehearsedTogether) {
  for (std::uint16_t number = 2; number > 0; --number) {
    Model shard = number == 1 ? ModelThat("nothing") : Model();
    if (number == 2) shard.Add("second", TensorType::kF32, {8});
    shard.Set("split.no", static_cast<std::uint16_t>(number - 1))
        .Set("split.count", std::uint16_t{2});
    shard.Set("split.tensors.count", std::int32_t{2});
    folder_.Write(FileNameOf({.stem = "model", .number = number, .count = 2}), Write(shard));
  }
  const CommandResult result = Check({"--format", "json", folder_.path()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
  const Json files = Json::parse(result.out).at("files");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files.at(0).at("rehearsal"), files.at(1).at("rehearsal"));
  EXPECT_EQ(Check({folder_.path() + "//"}).exit_code, 0) << "another spelling of the folder";
}

// Files with the names of shards, but without their keys: a loader opens each alone, or none.
TEST_F(RehearsedCheckTest, NoShardIsAcceptedWithoutARehearsal) {
  for (const std::uint16_t number : {std::uint16_t{1}, std::uint16_t{2}}) {
    folder_.Write(FileNameOf({.stem = "model", .number = number, .count = 2}),
                  Write(ModelThat(number == 1 ? "nothing" : "exit")));
  }
  const CommandResult result = Check({"--format", "json", folder_.path()});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  for (const Json& file : Json::parse(result.out).at("files")) {
    EXPECT_EQ(file.at("verdict"), "undecided");
  }
}

TEST_F(RehearsedCheckTest, TheReportDoesNotReplaceTheLoader) {
  const std::string loader = folder_.Path("libllama.so");
  std::filesystem::copy_file(GGUFGATE_HOSTILE_LOADER, loader);
  const std::uintmax_t size = std::filesystem::file_size(loader);
  EXPECT_EQ(
      RunCommand({"check", "--rehearse", loader, "-o", loader, FileThat("nothing")}).exit_code, 2);
  EXPECT_EQ(std::filesystem::file_size(loader), size);
}

TEST_F(RehearsedCheckTest, APolicyRequiresItAndAcceptsRefusals) {
  const std::string required = PolicyWith("rehearsal = \"required\"\n");
  const std::string model = FileThat("nothing");
  EXPECT_EQ(Check({"--policy", required, model}).exit_code, 0);
  const CommandResult without = RunCommand({"check", "--policy", required, model});
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.out, HasSubstr("error[rehearsal-missing]"));
  const std::string mild = PolicyWith("[severity]\nrehearsal-refused = \"warning\"\n");
  EXPECT_EQ(Check({"--policy", mild, FileThat("say x")}).exit_code, 0);
}

// Outcomes that take minutes with the default limits.
TEST(RehearsedReport, HasTheOutcomeAsAFinding) {
  const auto message_of = [](RehearsalCrashWording wording) {
    return RuleOf(RuleId::kRehearsalCrash).messages[static_cast<std::size_t>(wording)];
  };
  EXPECT_THAT(message_of(RehearsalCrashWording::kCrashes), HasSubstr("crashes"));
  EXPECT_THAT(message_of(RehearsalCrashWording::kHangs), HasSubstr("hangs"));
  EXPECT_THAT(message_of(RehearsalCrashWording::kMemory), HasSubstr("memory"));
  const std::vector<std::pair<RehearsalOutcome, Wording>> cases = {
      {RehearsalOutcome::kCrashes, RehearsalCrashWording::kCrashes},
      {RehearsalOutcome::kHangs, RehearsalCrashWording::kHangs},
      {RehearsalOutcome::kExceedsMemory, RehearsalCrashWording::kMemory},
      {RehearsalOutcome::kRefuses, RehearsalRefusedWording::kOnly}};
  for (const auto& [outcome, wording] : cases) {
    FileReport report;
    report.verdict = Verdict::kAccept;
    const std::string reason = "llama_model_load: error loading model: why\x1b[31m";
    const FileReport after = WithOutcome(
        report,
        {.rehearsal = {.outcome = outcome, .reason = reason}, .identities = {report.identity}}, {});
    EXPECT_EQ(after.verdict, Verdict::kReject);
    ASSERT_EQ(after.findings.list.size(), 1U);
    EXPECT_EQ(WordingOf(after.findings.list.front()), wording);
    EXPECT_EQ(after.findings.list.front().other, Fact(std::string("why\x1b[31m")));
    EXPECT_THAT(MessageFor(after.findings.list.front()), Not(HasSubstr("\x1b")));
  }
}

// The file may be replaced between the check and the rehearsal.
TEST(RehearsedReport, IsUndecidedIfTheLoaderRanAnotherFile) {
  FileReport report;
  report.verdict = Verdict::kAccept;
  report.identity.inode = 1;
  for (const RehearsalOutcome outcome : {RehearsalOutcome::kRuns, RehearsalOutcome::kCrashes}) {
    const FileReport after =
        WithOutcome(report, {.rehearsal = {.outcome = outcome}, .identities = {{.inode = 2}}}, {});
    EXPECT_EQ(after.verdict, Verdict::kUndecided);
    EXPECT_EQ(after.problem.message(), "not rehearsed: the file changed after the check");
    EXPECT_THAT(after.findings.list, IsEmpty());
  }
}

TEST(RehearsedReport, ASuppressionMayNameTheDigest) {
  const std::string digest(64, 'a');
  Policy policy;
  policy.suppressions.push_back(
      {.rule = RuleId::kRehearsalCrash, .reason = "seen", .sha256 = digest});
  FileReport report;
  report.verdict = Verdict::kAccept;
  report.sha256 = digest;
  const RehearsedFiles crash{.rehearsal = {.outcome = RehearsalOutcome::kCrashes},
                             .identities = {report.identity}};
  EXPECT_EQ(WithOutcome(report, crash, policy).verdict, Verdict::kAccept);
  report.sha256 = std::string(64, 'b');
  EXPECT_EQ(WithOutcome(report, crash, policy).verdict, Verdict::kReject);
}

TEST(RehearsedReport, AnswersReadBackAndDamagedOnesDoNot) {
  const RehearsedFiles result{.rehearsal = {.outcome = RehearsalOutcome::kRefuses,
                                            .stage = RehearsalStage::kContext,
                                            .reason = "why",
                                            .version = "1",
                                            .seconds = 0.5,
                                            .cpu_seconds = 0.25,
                                            .peak_bytes = 9},
                              .identities = {{.size = 1, .inode = 2, .modified_ns = -3}}};
  std::vector<std::uint8_t> bytes = AnswerOf(result);
  const std::optional<RehearsedFiles> read = AnswerIn(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(AnswerOf(*read), bytes);
  EXPECT_EQ(read->identities, result.identities);
  EXPECT_EQ(read->rehearsal.reason, "why");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::optional<RehearsedFiles> cut = AnswerIn(Bytes(bytes).first(size));
    EXPECT_TRUE(!cut || cut->identities.empty()) << size;
  }
  bytes.at(0) = 99;
  EXPECT_FALSE(AnswerIn(bytes));
  RehearsedFiles wrong = result;
  wrong.rehearsal.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(AnswerIn(AnswerOf(wrong)));
}

}  // namespace
}  // namespace ggufgate::testing
