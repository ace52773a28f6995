// Common parts of all commands: wrong usage, exit codes, streams.

#include <unistd.h>

#include <string>

#include "format/contracts/contract.h"
#include "gate/confine/confine.h"
#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

TEST(CommandLine, VersionIsThatOfTheProject) {
  const CommandResult result = RunCommand({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith(std::string("ggufgate ") + GGUFGATE_VERSION + "\n"));
  EXPECT_THAT(result.error, IsEmpty());
}

TEST(CommandLine, VersionTellsWhatTwoMachinesMayDifferIn) {
  const std::vector<std::string> lines = Lines(RunCommand({"--version"}).out);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_THAT(lines[1], MatchesRegex("commit       ([0-9a-f]{40}|unknown)"));
  EXPECT_THAT(lines[2], MatchesRegex("compiler     (Clang|GCC) .*, .*"));
  EXPECT_EQ(lines[3], "contracts    " + std::string(kContractRelease));
  EXPECT_EQ(lines[4], "confinement  " + AvailableConfinement());
}

// On a kernel with both, which tests require, the output of a build with a filter differs from that
// of others.
TEST(CommandLine, VersionSaysWhatConfines) {
  if (!ConfinementIsBuiltIn()) {
    EXPECT_EQ(AvailableConfinement(), "none in this build");
    return;
  }
  EXPECT_THAT(AvailableConfinement(),
              MatchesRegex("(Landlock [0-9]+|no Landlock in this kernel), seccomp"));
}

TEST(CommandLine, WrongUsageIsUndecidedAndSaidOnTheErrorStream) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {""},
           {"frobnicate"},
           {"CHECK", good},
           {good},
           {"--no-such-option"},
           {"check"},
           {"check", "--no-such-option", good},
           {"check", good, "--format"},
           {"check", good, "--format", "json", "--format", "text"},
           {"check", good, "--quiet=maybe"},
           {"inspect"},
           {"inspect", "--no-such-option", good},
           {"rules", "--no-such-option"},
           {"explain"},
           {"explain", "no-such-rule"}}) {
    const CommandResult result = RunCommand(arguments);
    const std::string all = ::testing::PrintToString(arguments);
    EXPECT_EQ(result.exit_code, 2) << all;
    EXPECT_THAT(result.out, IsEmpty()) << all;
    EXPECT_THAT(result.error, StartsWith("ggufgate: ")) << all;
    EXPECT_THAT(result.error, HasSubstr("\nTry 'ggufgate ")) << all;
  }
}

TEST(CommandLine, HostileArgumentsAreEchoedHarmlessly) {
  for (const std::string hostile : {"--\x1b[31m", "\x1b]0;title\x07", "--a\nb", "\xff\xc2\x9b",
                                    "--\xe2\x80\xae", "--format=\x1b[31m"}) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{hostile},
                                                      {"check", hostile},
                                                      {"inspect", hostile},
                                                      {"rules", hostile},
                                                      {"explain", hostile},
                                                      {"check", "--format", hostile, "x"},
                                                      {"check", "--jobs", hostile, "x"}}) {
      const CommandResult result = RunCommand(arguments);
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_TRUE(IsHarmless(result.out));
      EXPECT_TRUE(IsHarmless(result.error));
    }
  }
}

TEST(CommandLine, AReportThatCannotBeWrittenIsUndecided) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"check", good},
                                                    {"check", "--format", "json", good},
                                                    {"inspect", good},
                                                    {"inspect", "--format", "json", good},
                                                    {"rules"},
                                                    {"rules", "--format", "json"},
                                                    {"explain", "magic"},
                                                    {"--help"},
                                                    {"--version"}}) {
    const CommandResult full = RunCommand(arguments, {.output_path = "/dev/full"});
    EXPECT_EQ(full.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(full.error, HasSubstr("cannot write the report"));
    const CommandResult closed = RunCommand(arguments, {.closed = {STDOUT_FILENO}});
    EXPECT_EQ(closed.exit_code, 2) << ::testing::PrintToString(arguments);
  }
}

// If the reader is gone, there is no signal and no verdict.
TEST(CommandLine, AClosedPipeIsAReportThatCannotBeWritten) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  // First makes sure that the reader is gone.
  constexpr const char* kScript =
      R"({ (trap '' PIPE; while echo x; do :; done) 2>/dev/null; "$0" check "$1"; echo "code $?" >&2; } | :)";
  const CommandResult result = RunProgram("/bin/sh", {"-c", kScript, GGUFGATE_COMMAND, good});
  EXPECT_EQ(result.error, "ggufgate: cannot write the report\ncode 2\n");
}

TEST(CommandLine, NothingToWriteCannotFail) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  EXPECT_EQ(RunCommand({"check", "--quiet", good}, {.output_path = "/dev/full"}).exit_code, 0);
}

TEST(CommandLine, AClosedErrorStreamChangesNoVerdict) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  const CommandOptions closed{.closed = {STDERR_FILENO}};
  EXPECT_EQ(RunCommand({"check", good, good}, closed).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", good, folder.Path("none")}, closed).exit_code, 2);
  EXPECT_EQ(RunCommand({"check", "--wrong"}, closed).exit_code, 2);
}

TEST(CommandLine, AllStreamsClosedAreNoReasonToAccept) {
  const TempFolder folder;
  const std::string good = folder.Write("good", Write(Model::Minimal()));
  const CommandResult result =
      RunCommand({"check", good, "-"}, {.closed = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}});
  EXPECT_EQ(result.exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
