// Colour: on a terminal that has it, for people who want it, and nowhere else.

#include <gmock/gmock.h>

#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/command_text.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kEscape = "\x1b[";

struct Files {
  TempFolder folder;
  std::string good = folder.Write("good", Write(Model::Minimal()));
  std::string bad = folder.Write("bad", Write(Model::Minimal().Set("", "no key")));
};

// OnTerminal runs `check` on a pseudo-terminal, with some variables of the environment changed.
std::string OnTerminal(const Files& files, std::vector<std::string> environment) {
  environment.insert(environment.begin(), {"NO_COLOR", "TERM=xterm-256color"});
  const CommandResult result =
      RunCommand({"check", files.good, files.bad}, {.terminal = true, .environment = environment});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("error[key-empty]"));
  return result.out;
}

TEST(Terminal, HasColour) {
  const Files files;
  const std::string out = OnTerminal(files, {});
  EXPECT_THAT(out, HasSubstr("\x1b[32mok\x1b[0m"));
  EXPECT_THAT(out, HasSubstr("\x1b[1;31mreject\x1b[0m"));
}

TEST(Terminal, HasNoColourForThoseWhoWantNone) {
  const Files files;
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR=1"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR=0"}), Not(HasSubstr(kEscape)));
  EXPECT_THAT(OnTerminal(files, {"TERM=dumb"}), Not(HasSubstr(kEscape)));
  // no-color.org: only when it is present and not empty.
  EXPECT_THAT(OnTerminal(files, {"NO_COLOR="}), HasSubstr(kEscape));
}

TEST(Terminal, ExplainHasColourToo) {
  const CommandOptions terminal{.terminal = true, .environment = {"NO_COLOR", "TERM=xterm"}};
  EXPECT_THAT(RunCommand({"explain", "magic"}, terminal).out, HasSubstr("\x1b[1mwhy\x1b[0m"));
}

TEST(Terminal, MachineFormatsHaveNoColour) {
  const Files files;
  const CommandOptions terminal{.terminal = true, .environment = {"NO_COLOR", "TERM=xterm"}};
  EXPECT_TRUE(
      IsHarmless(RunCommand({"check", "--format", "json", files.good, files.bad}, terminal).out));
  EXPECT_TRUE(IsHarmless(RunCommand({"rules", "--format", "json"}, terminal).out));
}

TEST(Terminal, AnythingElseHasNoColour) {
  const Files files;
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
  const Files files;
  const std::string hostile =
      files.folder.Write("\x1b[2J\x1b]0;owned\x07\n\xc2\x9b.gguf", Write(Model::Minimal()));
  std::string out =
      RunCommand({"check", hostile}, {.terminal = true, .environment = {"NO_COLOR", "TERM=xterm"}})
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
