#include "cli/help.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

// The commands in the list of the main page.
std::vector<std::string> Commands() {
  std::vector<std::string> commands;
  bool inside = false;
  for (const std::string& line : Lines(RunCommand({"--help"}).out)) {
    if (inside && line.empty()) break;
    if (inside) commands.push_back(line.substr(4, line.find(' ', 4) - 4));
    inside |= line == "COMMANDS";
  }
  return commands;
}

TEST(Help, OfTheWholeNamesEveryCommand) {
  const CommandResult result = RunCommand({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("NAME\n    ggufgate - "));
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_THAT(Commands(), ::testing::IsSupersetOf({"check", "run", "inspect", "rules", "explain"}));
  EXPECT_EQ(RunCommand({"-h"}).out, result.out);
}

TEST(Help, EveryCommandHasAPage) {
  for (const std::string& command : Commands()) {
    const CommandResult result = RunCommand({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.error, IsEmpty());
    EXPECT_THAT(result.out, StartsWith("NAME\n    ggufgate " + command + " - "));
    for (const char* section : {"\nSYNOPSIS\n", "\nOPTIONS\n", "\nEXIT STATUS\n"}) {
      EXPECT_THAT(result.out, HasSubstr(section)) << command;
    }
    EXPECT_EQ(RunCommand({command, "-h"}).out, result.out);
  }
}

TEST(Help, TheSynopsisBracketsWhatMayBeLeftOut) {
  const auto synopsis = [](const std::string& command) {
    const std::vector<std::string> lines = Lines(RunCommand({command, "--help"}).out);
    return *(std::ranges::find(lines, "SYNOPSIS") + 1);
  };
  EXPECT_EQ(synopsis("dequantize"), "    ggufgate dequantize [OPTION]... FILE [TENSOR]");
  EXPECT_EQ(synopsis("mutate"), "    ggufgate mutate [OPTION]... [SEED]...");
  EXPECT_EQ(synopsis("repair"), "    ggufgate repair [OPTION]... IN [OUT]");
  EXPECT_EQ(synopsis("run"), "    ggufgate run [OPTION]... MODEL -- COMMAND...");
}

TEST(Help, FitsATerminalAndIsPlainText) {
  std::vector<std::vector<std::string>> pages = {{"--help"}};
  for (const std::string& command : Commands()) pages.push_back({command, "--help"});
  for (const auto& page : pages) {
    const std::string out = RunCommand(page).out;
    EXPECT_TRUE(testing::IsHarmless(out));
    for (const std::string& line : Lines(out)) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(Help, SpeakOfTheirOwnCommand) {
  for (const std::string& command : Commands()) {
    const std::string out = RunCommand({command, "--help"}).out;
    const std::string examples = out.substr(std::min(out.find("\nEXAMPLES\n"), out.size()));
    EXPECT_THAT(examples, HasSubstr("ggufgate " + command + " "));
    const bool judges = command == "check";
    EXPECT_EQ(out.find("every file is accepted") != std::string::npos, judges) << command;
  }
}

TEST(Help, ComesBeforeWhatIsWrongWithTheRest) {
  EXPECT_EQ(RunCommand({"check", "--help", "no-such-file"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "no-such-file", "--help"}).exit_code, 0);
}

TEST(Help, TellsOfEveryOptionOfCheck) {
  const std::string out = RunCommand({"check", "--help"}).out;
  for (const char* option :
       {"PATH", "--profile", "--fail-on", "-f, --format", "-o, --output", "-j, --jobs",
        "-q, --quiet", "-v, --verbose", "--sha256", "--exclude GLOB", "--files-from FILE",
        "-0, --null", "--summary", "--color auto|always|never"}) {
    EXPECT_THAT(out, HasSubstr(std::string("\n    ") + option)) << option;
  }
}

TEST(Wrapped, BreaksAtBlanks) {
  EXPECT_EQ(Wrapped("", 4), "");
  EXPECT_EQ(Wrapped("a b", 4), "    a b\n");
  const std::string word(30, 'a');
  EXPECT_EQ(Wrapped(word + " " + word + " " + word, 4),
            "    " + word + " " + word + "\n    " + word + "\n");
}

TEST(Wrapped, FillsEightyColumnsAndNotOneMore) {
  EXPECT_EQ(Wrapped(std::string(76, 'a'), 4), "    " + std::string(76, 'a') + "\n");
  EXPECT_EQ(Wrapped(std::string(77, 'a'), 4), "    " + std::string(76, 'a') + "\n    a\n");
  EXPECT_EQ(Wrapped(std::string(76, 'a') + " b", 4), "    " + std::string(76, 'a') + "\n    b\n");
}

TEST(Wrapped, KeepsLinesThatAreThere) {
  EXPECT_EQ(Wrapped("a\nb", 2), "  a\n  b\n");
  EXPECT_EQ(Wrapped("a\n\nb", 2), "  a\n\n  b\n");
  EXPECT_EQ(Wrapped("a\n", 2), "  a\n");
}

TEST(Wrapped, LosesNoLetter) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += i % 7 == 6 ? ' ' : 'a';
    const std::string wrapped = Wrapped(text, 8);
    EXPECT_EQ(std::ranges::count(wrapped, 'a'), std::ranges::count(text, 'a')) << length;
  }
}

}  // namespace
}  // namespace ggufgate::testing
