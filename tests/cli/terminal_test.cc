// Colours: only on a terminal that supports them, for users who want them.

#include <algorithm>
#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

constexpr const char* kEscape = "\x1b[";

struct ShownFiles {
  TempFolder folder;
  std::string good = folder.Write("good", Write(Model::Minimal()));
  std::string bad = folder.Write("bad", Write(Model::Minimal().Set("", "no key")));
};

// OnTerminal runs `check` on a pseudo-terminal, with some environment variables changed.
std::string OnTerminal(const ShownFiles& files, std::vector<std::string> environment) {
  environment.insert(environment.begin(), {"NO_COLOR", "TERM=xterm-256color"});
  const CommandResult result =
      RunCommand({"check", files.good, files.bad}, {.terminal = true, .environment = environment});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("error[key-empty]"));
  return result.out;
}

TEST(Terminal, HasColour) {
  const ShownFiles files;
  const std::string out = OnTerminal(files, {});
  EXPECT_THAT(out, HasSubstr("\x1b[32mok\x1b[0m"));
  EXPECT_THAT(out, HasSubstr("\x1b[1;31mreject\x1b[0m"));
}

TEST(Terminal, HasNoColourForThoseWhoWantNone) {
  const ShownFiles files;
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR=1"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR=0"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(OnTerminal(files, {"TERM=dumb"}), Not(HasSubstr(kEscape)));
  // no-color.org: only if the variable is present and not empty.
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR="}), HasSubstr(kEscape));
}

// Runs `check --color CHOICE` into a pipe.
std::string Piped(const ShownFiles& files, const std::string& choice,
                  const std::vector<std::string>& environment) {
  std::vector<std::string> arguments = {"check", files.good};
  if (!choice.empty()) arguments.insert(arguments.end(), {"--color", choice});
  return RunCommand(arguments, {.environment = environment}).out;
}

TEST(Terminal, ColourCanBeForced) {
  const ShownFiles files;
  const std::vector<std::string> none = {"NO_COLOR", "FORCE_COLOR"};
  EXPECT_THAT(Piped(files, "", none), Not(HasSubstr(kEscape)));
  EXPECT_THAT(Piped(files, "auto", none), Not(HasSubstr(kEscape)));
  EXPECT_THAT(Piped(files, "always", none), HasSubstr("\x1b[32mok\x1b[0m"));
  EXPECT_THAT(Piped(files, "", {"NO_COLOR", "FORCE_COLOR=1"}), HasSubstr(kEscape));
  EXPECT_THAT(Piped(files, "never", {"NO_COLOR", "FORCE_COLOR=1"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(Piped(files, "", {"NO_COLOR", "FORCE_COLOR="}), Not(HasSubstr(kEscape)));
  // NO_COLOR has priority over everything except the option.
  EXPECT_THAT(Piped(files, "", {"NO_COLOR=1", "FORCE_COLOR=1"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(Piped(files, "always", {"NO_COLOR=1"}), HasSubstr(kEscape));
  EXPECT_THAT(OnTerminal(files, {"FORCE_COLOR=1", "TERM=dumb"}), HasSubstr(kEscape));
  EXPECT_EQ(RunCommand({"check", "--color", "yes", files.good}).exit_code, 2);
  EXPECT_THAT(RunCommand({"--color", "always", "explain", "magic"}).out, HasSubstr(kEscape));
}

TEST(Terminal, AFileOfOutputHasNoColour) {
  const ShownFiles files;
  const std::string path = files.folder.Path("report");
  EXPECT_EQ(RunCommand({"check", "--color", "always", "-o", path, files.good}).exit_code, 0);
  EXPECT_THAT(RunProgram("/bin/cat", {path}).out, Not(HasSubstr(kEscape)));
}

TEST(Terminal, LinesAreAsWideAsItIs) {
  const ShownFiles files;
  const auto widest = [&](const std::vector<std::string>& arguments, const std::string& columns) {
    const CommandOptions terminal{
        .terminal = true, .environment = {"NO_COLOR=1", "TERM=xterm", "COLUMNS=" + columns}};
    std::size_t most = 0;
    for (const std::string& line : Lines(RunCommand(arguments, terminal).out)) {
      if (line.find("/tmp") != std::string::npos) continue;  // paths are not wrapped
      most = std::max(most, line.size());
    }
    return most;
  };
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", files.bad}, {"explain", "tensor-bytes-overflow"}}) {
    for (const std::size_t columns : {std::size_t{72}, std::size_t{100}}) {
      EXPECT_LE(widest(arguments, std::to_string(columns)), columns + 1) << arguments.at(0);
    }
  }
  const std::size_t unwrapped = widest({"rules"}, "1000");
  EXPECT_GT(unwrapped, 300U);
  EXPECT_LT(widest({"rules"}, "150"), 160U);
  EXPECT_LT(widest({"rules"}, ""), 100U) << "a terminal that does not know its width has 80";
  EXPECT_LT(widest({"rules"}, "1"), 100U) << "one that is too narrow to be true is ended somewhere";
  EXPECT_EQ(widest({"help", "check"}, "200"), widest({"help", "check"}, "80"));
}

TEST(Terminal, AnythingElseIsNotWrapped) {
  const ShownFiles files;
  const CommandOptions narrow{.environment = {"COLUMNS=30"}};
  EXPECT_EQ(RunCommand({"rules"}, narrow).out, RunCommand({"rules"}).out);
  EXPECT_EQ(Lines(RunCommand({"check", files.bad}, narrow).out).size(), 2U);
}

// A signal comes while the line is on the screen. The line is erased, the signal ends the command,
// and no process remains.
TEST(Terminal, TheLineOfProgressGoesWithWhoIsInterrupted) {
  const ShownFiles files;
  Model model;
  model.Set("general.architecture", "test");
  model.tensors.push_back({.name = "weight",
                           .dims = {4096, std::uint64_t{1} << 26},
                           .type_id = static_cast<std::uint32_t>(TensorType::kF16)});
  const std::string endless =
      files.folder.MakeSparse("endless.gguf", Write(model), (std::uint64_t{1} << 39) + 4096);
  for (const std::string way : {"key", "signal"}) {
    const CommandResult result =
        RunProgram(GGUFGATE_PYTHON, {std::string(GGUFGATE_SOURCE_DIR) + "/tests/cli/interrupt.py",
                                     way, GGUFGATE_COMMAND, endless});
    EXPECT_EQ(result.exit_code, 0) << way << '\n' << result.out << result.error;
  }
}

TEST(Terminal, ExplainHasColourToo) {
  const CommandOptions terminal{.terminal = true, .environment = {"NO_COLOR", "TERM=xterm"}};
  EXPECT_THAT(RunCommand({"explain", "magic"}, terminal).out, HasSubstr("\x1b[1mwhy\x1b[0m"));
}

TEST(Terminal, MachineFormatsHaveNoColour) {
  const ShownFiles files;
  const CommandOptions terminal{.terminal = true, .environment = {"NO_COLOR", "TERM=xterm"}};
  EXPECT_TRUE(
      IsHarmless(RunCommand({"check", "--format", "json", files.good, files.bad}, terminal).out));
  EXPECT_TRUE(IsHarmless(RunCommand({"rules", "--format", "json"}, terminal).out));
}

TEST(Terminal, AnythingElseHasNoColour) {
  const ShownFiles files;
  const CommandOptions wanted{.environment = {"NO_COLOR", "TERM=xterm-256color"}};
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", files.good, files.bad},
        {"inspect", files.bad},
        {"explain", "magic"},
        {"rules"}}) {
    const CommandResult result = RunCommand(arguments, wanted);
    EXPECT_TRUE(IsHarmless(result.out));
    EXPECT_TRUE(IsHarmless(result.error));
  }
}

TEST(Terminal, HostileNamesStayHarmlessBetweenOurColours) {
  const ShownFiles files;
  const std::string hostile =
      files.folder.Write("\x1b[2J\x1b]0;owned\x07\n\xc2\x9b.gguf", Write(Model::Minimal()));
  std::string out =
      RunCommand({"check", hostile},
                 {.terminal = true, .environment = {"NO_COLOR", "TERM=xterm", "COLUMNS=300"}})
          .out;
  for (const std::string ours : {"\x1b[32m", "\x1b[2m", "\x1b[0m"}) {
    for (std::size_t at = out.find(ours); at != std::string::npos; at = out.find(ours)) {
      out.erase(at, ours.size());
    }
  }
  EXPECT_TRUE(IsHarmless(out));
  EXPECT_EQ(Lines(out).size(), 1U);
}

}  // namespace
}  // namespace ggufgate::testing
