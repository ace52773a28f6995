// ggufgate policy, and option --policy of check.

#include <nlohmann/json.hpp>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

using Json = nlohmann::ordered_json;

const std::string kHead = "schema = \"ggufgate.policy/1\"\n";

// Policies has files of each kind, and models with different verdicts under them.
struct Policies {
  TempFolder folder;
  std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  std::string noted =
      folder.Write("noted.gguf", Write(Model::Minimal().Set("Not.Lower", std::uint32_t{1})));
  std::string warned = folder.Write("warned.gguf", Write(Model::Minimal().Set("text", "\xff")));

  [[nodiscard]] std::string Make(const std::string& text) const {
    return folder.WriteText("p.toml", kHead + text);
  }
  [[nodiscard]] int CheckExit(const std::string& policy, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"check", "--policy", Make(policy)});
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.signal, 0);
    return result.exit_code;
  }
};

TEST(CheckPolicy, JudgesByIt) {
  const Policies policies;
  EXPECT_EQ(policies.CheckExit("", {policies.noted}), 0);
  EXPECT_EQ(policies.CheckExit("fail_on = \"note\"", {policies.noted}), 1);
  EXPECT_EQ(policies.CheckExit("[severity]\nkey-style = \"error\"", {policies.noted}), 1);
  EXPECT_EQ(policies.CheckExit("profile = \"spec\"", {policies.noted}), 1);
  EXPECT_EQ(policies.CheckExit("[limits]\ntensors = 0", {policies.good}), 1);
  EXPECT_EQ(policies.CheckExit("allow.architectures = [\"llama\"]", {policies.good}), 1);
  EXPECT_EQ(policies.CheckExit("allow.tensor_types = [\"F16\"]", {policies.good}), 1);
  EXPECT_EQ(policies.CheckExit("allow.tensor_types = [\"F32\"]", {policies.good}), 0);
  EXPECT_EQ(policies.CheckExit("target = \"big\"", {policies.good}), 1);
  const std::string seen = "fail_on = \"note\"\n[[suppress]]\nrule = \"key-style\"\nreason = \"x\"";
  EXPECT_EQ(policies.CheckExit(seen, {policies.noted}), 0);
}

TEST(CheckPolicy, OptionsOfTheCommandLineWin) {
  const Policies policies;
  EXPECT_EQ(policies.CheckExit("profile = \"spec\"", {"--profile", "gate", policies.noted}), 0);
  EXPECT_EQ(policies.CheckExit("fail_on = \"note\"", {"--fail-on", "error", policies.noted}), 0);
  EXPECT_EQ(policies.CheckExit("fail_on = \"error\"", {"--fail-on", "note", policies.noted}), 1);
  EXPECT_EQ(policies.CheckExit("limits.tensors = 0", {"--profile", "spec", policies.good}), 1)
      << "limits apply on top of the profile";
}

TEST(CheckPolicy, ChecksNothingByABadPolicy) {
  const Policies policies;
  const std::string path = policies.Make("fail_on = \"off\"\nx = 1\n");
  const CommandResult result = RunCommand({"check", "--policy", path, policies.good});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(Lines(result.error),
              ElementsAre(path + ":2:11: fail_on must be one of error, warning, note, not \"off\"",
                          path + ":3:1: unknown key \"x\""));
}

TEST(CheckPolicy, ThatCannotBeReadIsNoPolicy) {
  const Policies policies;
  const auto check = [&](const std::string& path) {
    return RunCommand({"check", "--policy", path, policies.good});
  };
  const std::string missing = policies.folder.Path("none.toml");
  EXPECT_EQ(check(missing).exit_code, 2);
  EXPECT_EQ(check(missing).error,
            "ggufgate: policy " + missing + ": cannot open: No such file or directory\n");
  for (const std::string& path :
       {policies.folder.path(), policies.folder.MakePipe("pipe"), std::string("/dev/zero"),
        policies.folder.WriteText("large", std::string((1 << 20) + 1, ' ')), policies.good,
        policies.folder.WriteText("empty", ""), std::string()}) {
    const CommandResult result = check(path);
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_FALSE(result.hung);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_TRUE(IsHarmless(result.error)) << path;
  }
}

TEST(CheckPolicy, HostileOnesAreAnsweredHarmlessly) {
  using namespace std::string_literals;
  const Policies policies;
  std::string deep = "a";
  for (int i = 0; i < 200'000; ++i) deep += ".a";
  for (const std::string& text :
       {"\"\x1b[31m\\u001b\" = 1"s, "a = \"\xff\""s, "a\0 = 1"s, deep + " = 1",
        "x = " + std::string(500'000, '['), std::string(1 << 19, '\xff'),
        "profile = \"\\u202e\\n\""s, "[[[["s}) {
    const std::string path = policies.Make(text);
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"check", "--policy", path, policies.good},
                                               {"policy", "print", "--policy", path},
                                               {"policy", "check", path}}) {
      const CommandResult result = RunCommand(command);
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_EQ(result.signal, 0);
      EXPECT_THAT(result.out, IsEmpty());
      EXPECT_TRUE(IsHarmless(result.error)) << result.error.substr(0, 500);
      EXPECT_THAT(result.error, StartsWith(path + ":2:"));
    }
  }
}

TEST(CheckPolicy, IsNamedInTheReport) {
  const Policies policies;
  const std::string path = policies.folder.WriteText("p\x1b\n.toml", kHead);
  const CommandResult result =
      RunCommand({"check", "--format", "json", "--policy", path, policies.good});
  EXPECT_EQ(Json::parse(result.out).at("policy"), policies.folder.Path("p\\x1b\\x0a.toml"));
  EXPECT_TRUE(FitsSchema(result.out, "report-1"));
  EXPECT_EQ(Json::parse(RunCommand({"check", "--format", "json", policies.good}).out).at("policy"),
            nullptr);
}

TEST(CheckPolicy, SuppressesByDigest) {
  const Policies policies;
  const CommandResult sum = RunProgram("/usr/bin/sha256sum", {policies.noted});
  const std::string policy =
      "fail_on = \"note\"\n[[suppress]]\nrule = \"key-style\"\nreason = \"x\"\nsha256 = \"";
  EXPECT_EQ(policies.CheckExit(policy + sum.out.substr(0, 64) + "\"", {policies.noted}), 0);
  EXPECT_EQ(policies.CheckExit(policy + std::string(64, '0') + "\"", {policies.noted}), 1);
}

TEST(PolicyPrint, ReadsBackToItself) {
  const Policies policies;
  const std::string path = policies.Make(
      "profile = \"llama.cpp\"\nfail_on = \"warning\"\n[severity]\nkey-style = \"off\"\n"
      "[limits]\ntensors = 5\n[allow]\ntensor_types = [\"F32\"]\n"
      "[[suppress]]\nrule = \"key-nul\"\nreason = \"\\u001b two\\nlines\"\n");
  const CommandResult first = RunCommand({"policy", "print", "--policy", path});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.error, IsEmpty());
  EXPECT_TRUE(IsHarmless(first.out)) << first.out;
  EXPECT_THAT(first.out, HasSubstr("tensors = 5\n"));
  const std::string printed = policies.folder.WriteText("printed.toml", first.out);
  EXPECT_EQ(RunCommand({"policy", "print", "--policy", printed}).out, first.out);
}

TEST(PolicyPrint, OfAProfile) {
  const Policies policies;
  for (const char* profile : {"gate", "llama.cpp", "spec", "diffusion"}) {
    const CommandResult result = RunCommand({"policy", "print", "--profile", profile});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("\nprofile = \"" + std::string(profile) + "\""));
    const std::string path = policies.folder.WriteText("printed.toml", result.out);
    EXPECT_EQ(RunCommand({"policy", "print", "--policy", path}).out, result.out);
  }
  EXPECT_EQ(RunCommand({"policy", "print"}).out,
            RunCommand({"policy", "print", "--profile", "gate"}).out);
  const std::string spec = policies.Make("profile = \"spec\"\n");
  EXPECT_EQ(RunCommand({"policy", "print", "--policy", spec, "--profile", "gate"}).out,
            RunCommand({"policy", "print"}).out);
}

TEST(PolicyCheck, SaysNothingOfAGoodOne) {
  const Policies policies;
  const CommandResult good = RunCommand({"policy", "check", policies.Make("")});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out, IsEmpty());
  EXPECT_THAT(good.error, IsEmpty());
  const CommandResult bad = RunCommand({"policy", "check", policies.Make("x = 1")});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.error, HasSubstr(":2:1: unknown key \"x\""));
}

TEST(PolicyCheck, SaysWhereItStopped) {
  const Policies policies;
  std::string text;
  for (int i = 0; i < 1'000; ++i) text += "k" + std::to_string(i) + " = 1\n";
  const CommandResult result = RunCommand({"policy", "check", policies.Make(text)});
  EXPECT_LT(Lines(result.error).size(), 60U);
  EXPECT_THAT(Lines(result.error).back(), HasSubstr("there may be more"));
}

TEST(PolicyCommand, HasPagesAndTakesNothingElse) {
  const CommandResult page = RunCommand({"policy", "--help"});
  EXPECT_THAT(page.out, HasSubstr("ggufgate policy COMMAND"));
  EXPECT_THAT(page.out, HasSubstr("\n    print "));
  const CommandResult print = RunCommand({"policy", "print", "--help"});
  EXPECT_EQ(print.exit_code, 0);
  EXPECT_THAT(print.out, StartsWith("NAME\n    ggufgate policy print - "));
  for (const auto& wrong : std::vector<std::vector<std::string>>{{"policy"},
                                                                 {"policy", "burn"},
                                                                 {"policy", "check"},
                                                                 {"policy", "check", "a", "b"},
                                                                 {"policy", "print", "a"}}) {
    const CommandResult result = RunCommand(wrong);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST(PolicyCommand, FilesMayLookLikeLists) {
  const TempFolder folder;
  folder.WriteText("[x]", kHead);
  EXPECT_EQ(RunCommand({"policy", "check", "[x]"}, {.folder = folder.path()}).exit_code, 0);
  EXPECT_EQ(RunCommand({"policy", "print", "--policy", "[x]"}, {.folder = folder.path()}).exit_code,
            0);
}

}  // namespace
}  // namespace ggufgate::testing
