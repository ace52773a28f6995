// `ggufgate rehearse MODEL -- COMMAND {}`: a program that tries forbidden acts (hostile_loader.c).

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::json;

class HostileCommandTest : public ::testing::Test {
 protected:
  static Model ModelWith(const std::string& act) {
    Model model = Model::Minimal();
    model.Set("general.description", "act:" + act + ";");
    return model;
  }

  // Try has the program act, and returns what is reported of the file.
  Json Try(const std::string& act, std::vector<std::string> options = {}) {
    return TryOn(folder_.Write("model.gguf", Write(ModelWith(act))), std::move(options));
  }

  Json TryOn(const std::string& path, std::vector<std::string> options) {
    std::vector<std::string> arguments = {"rehearse", "--format", "json", path};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", GGUFGATE_HOSTILE_COMMAND, "-m", "{}"});
    result_ = RunCommand(arguments);
    const Json report = Json::parse(result_.out, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << result_.out << result_.error;
    return report.is_discarded() ? Json() : report.at("files").at(0);
  }

  void ExpectFailed(const std::string& act) {
    const Json told = Try(act);
    EXPECT_EQ(result_.exit_code, 0) << result_.out << result_.error;
    EXPECT_EQ(told.at("outcome"), "runs") << act << ": " << told.at("reason");
  }

  TempFolder folder_;
  CommandResult result_;
};

TEST_F(HostileCommandTest, RunsWhenItDoesNothing) {
  const Json told = Try("nothing");
  EXPECT_EQ(result_.exit_code, 0) << result_.out << result_.error;
  EXPECT_EQ(told.at("outcome"), "runs");
  EXPECT_EQ(told.at("stage"), "done");
  const Json loader = Json::parse(result_.out).at("loader");
  EXPECT_EQ(loader.at("path"), std::filesystem::canonical(GGUFGATE_HOSTILE_COMMAND).string());
  EXPECT_EQ(loader.at("command"), Json({GGUFGATE_HOSTILE_COMMAND, "-m", "{}"}));
}

// The program does report an act that succeeds: it may read libraries next to it.
TEST_F(HostileCommandTest, AnActThatSucceedsIsARefusal) {
  const Json told = Try(std::string("read ") + GGUFGATE_HOSTILE_LOADER);
  EXPECT_EQ(result_.exit_code, 1);
  EXPECT_EQ(told.at("outcome"), "refuses");
  EXPECT_EQ(told.at("stage"), "run");
  EXPECT_THAT(told.at("reason"), HasSubstr("its exit code is 1: the act read succeeded"));
  Try(std::string("read ") + GGUFGATE_HOSTILE_LOADER, {"--accept-refusal"});
  EXPECT_EQ(result_.exit_code, 0);
}

TEST_F(HostileCommandTest, NoForbiddenActSucceeds) {
  const std::string kept = folder_.WriteText("kept", "as it was");
  for (const std::string& act :
       {"read " + kept, std::string("read /etc/passwd"), std::string("list /"), "write " + kept,
        "write " + folder_.Path("new"), std::string("proc"), std::string("stand-in"),
        std::string("connect"), std::string("signal"), std::string("trace"), std::string("fork"),
        std::string("more"), std::string("share"), std::string("exec /bin/false"),
        std::string("exec /usr/bin/false")}) {
    ExpectFailed(act);
  }
  EXPECT_EQ(std::filesystem::file_size(kept), 9U);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("new")));
}

TEST_F(HostileCommandTest, ItsEndIsTheOutcome) {
  const Json aborted = Try("abort");
  EXPECT_EQ(result_.exit_code, 1);
  EXPECT_EQ(aborted.at("outcome"), "crashes");
  EXPECT_EQ(aborted.at("signal"), SIGABRT);
  EXPECT_EQ(Try("code 3").at("outcome"), "refuses");
  EXPECT_EQ(Try("code 127").at("outcome"), "not-rehearsed") << "a library was not found";
  EXPECT_EQ(result_.exit_code, 2);
  EXPECT_EQ(Try("kill").at("outcome"), "not-rehearsed");
  EXPECT_EQ(Try("memory", {"--memory", "256"}).at("outcome"), "exceeds-memory");
  EXPECT_EQ(Try("time", {"--seconds", "1"}).at("outcome"), "hangs");
  EXPECT_EQ(Try("forge").at("reason"), "its exit code is 9") << "it has no pipe for a report";
}

// 128 MB of weights are mapped and read to their end. They are zeros of 32 MB.
TEST_F(HostileCommandTest, ReadsZerosForWeights) {
  const std::uint64_t weights = std::uint64_t{128} << 20;
  Model model = ModelWith("weights 1000000");
  model.Add("weights", TensorType::kF32, {std::uint64_t{32} << 20});
  const std::vector<std::uint8_t> whole = Write(model);
  const std::string path =
      folder_.MakeSparse("large.gguf", Bytes(whole).first(whole.size() - weights), whole.size());
  const Json told = TryOn(path, {"--memory", "80"});
  EXPECT_EQ(told.at("outcome"), "runs") << told;
}

// The system can drop pages of a file, so they are not memory of the loader. This model is sparse,
// so its own weights are zeros, too.
TEST_F(HostileCommandTest, ReadsTheModelItselfOnRequest) {
  const std::uint64_t weights = std::uint64_t{128} << 20;
  Model model = ModelWith("weights 1000000");
  model.Add("weights", TensorType::kF32, {std::uint64_t{32} << 20});
  std::vector<std::uint8_t> whole = Write(model);
  const std::string path =
      folder_.MakeSparse("large.gguf", Bytes(whole).first(whole.size() - weights), whole.size());
  const std::vector<std::string> options = {"--memory", "80", "--data", "real"};
  EXPECT_EQ(TryOn(path, options).at("outcome"), "runs");
  std::fill(whole.end() - 8192, whole.end(), std::uint8_t{0x3F});
  const Json told = TryOn(folder_.Write("model.gguf", whole), options);
  EXPECT_THAT(told.at("reason"), HasSubstr("the act weights succeeded")) << told;
}

TEST_F(HostileCommandTest, EveryReportFitsTheSchema) {
  ASSERT_TRUE(CanValidate()) << "python3-jsonschema is missing: run scripts/setup";
  for (const char* const act : {"nothing", "abort", "code 127"}) {
    Try(act);
    EXPECT_TRUE(FitsSchema(result_.out, "rehearsal-1")) << act;
  }
}

TEST_F(HostileCommandTest, OnlyAProgramIsStarted) {
  const std::string script = folder_.WriteText("script", "#!/bin/sh\nexit 0\n");
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  const std::string model = folder_.Write("model.gguf", Write(Model::Minimal()));
  const CommandResult result = RunCommand({"rehearse", model, "--", script, "{}"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("the program cannot be started"));
  EXPECT_THAT(result.out, HasSubstr("a script needs programs"));
}

// Each wrong command line, and words of the message.
TEST_F(HostileCommandTest, WrongUsageIsUndecided) {
  const std::string model = folder_.Write("model.gguf", Write(Model::Minimal()));
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{}, "give a loader: --loader LIBLLAMA, or -- COMMAND {}"},
      {{"--loader", GGUFGATE_HOSTILE_LOADER, "--", "true", "{}"}, "not both"},
      {{"--stage", "load", "--", "true", "{}"}, "--stage is for libraries"},
      {{"--", "true"}, "the command has no {}"},
      {{"--", "{}"}, "put a command before {}"},
      {{"--"}, "give a loader"},
      {{"llama-bench", "-m", "{}"}, "rehearse needs -- before the command"},
      {{"--", "no-such-program-anywhere", "{}"}, "there is no executable file with this name"},
      {{"--", "/etc/passwd", "{}"}, "there is no executable file with this name"},
  };
  for (const auto& [words, message] : wrong) {
    std::vector<std::string> arguments = {"rehearse", model};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_THAT(result.error, HasSubstr(message));
  }
}

}  // namespace
}  // namespace ggufgate::testing
