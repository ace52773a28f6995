// ggufgate check --rehearse, with the loader of hostile_loader.c.

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
  const CommandResult refusal = Check({FileThat("say x\x1b[31m")});
  EXPECT_EQ(refusal.exit_code, 1);
  EXPECT_THAT(refusal.out, HasSubstr("error[rehearsal-refused] the loader refuses the model"));
  EXPECT_THAT(refusal.out, Not(HasSubstr("\x1b")));
}

TEST_F(RehearsedCheckTest, WithoutAResultAFileIsUndecided) {
  const CommandResult killed = Check({FileThat("kill")});
  EXPECT_EQ(killed.exit_code, 2);
  EXPECT_THAT(killed.out, HasSubstr("not rehearsed"));
  const std::vector<std::uint8_t> bytes = Write(Model::Minimal());
  const CommandResult input = RunCommand({"check", "--rehearse", GGUFGATE_HOSTILE_LOADER, "-"},
                                         {.input = {bytes.begin(), bytes.end()}});
  EXPECT_EQ(input.exit_code, 2);
  EXPECT_THAT(input.out, HasSubstr("standard input can be read only once"));
  EXPECT_EQ(
      RunCommand({"check", "--rehearse", "/no/such/library.so", FileThat("nothing")}).exit_code, 2);
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

TEST_F(RehearsedCheckTest, TheFirstShardIsRehearsedWithTheOthers) {
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
  EXPECT_TRUE(files.at(0).contains("rehearsal"));
  EXPECT_FALSE(files.at(1).contains("rehearsal"));
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
    const FileReport after = WithOutcome(
        report, {.outcome = outcome, .reason = "llama_model_load: error loading model: why"},
        Policy{});
    EXPECT_EQ(after.verdict, Verdict::kReject);
    ASSERT_EQ(after.findings.list.size(), 1U);
    EXPECT_EQ(WordingOf(after.findings.list.front()), wording);
    EXPECT_EQ(after.findings.list.front().other, Fact(std::string("why")));
  }
}

}  // namespace
}  // namespace ggufgate::testing
