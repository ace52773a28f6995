// Wrong usage: the message suggests what was meant.

#include <string>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

std::string Complaint(const std::vector<std::string>& arguments) {
  const CommandResult result = RunCommand(arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_TRUE(IsHarmless(result.error));
  return result.error;
}

TEST(Usage, AMisspeltCommandIsSuggested) {
  EXPECT_EQ(Complaint({"chekc", "a"}),
            "ggufgate: there is no command \"chekc\"; did you mean check?\n"
            "Try 'ggufgate --help'.\n");
  EXPECT_EQ(Complaint({"policy", "pint"}),
            "ggufgate: there is no command \"pint\"; did you mean print?\n"
            "Try 'ggufgate policy --help'.\n");
}

TEST(Usage, WhatIsLikeNothingIsNoSuggestion) {
  EXPECT_EQ(Complaint({"frobnicate"}),
            "ggufgate: there is no command \"frobnicate\"\nTry 'ggufgate --help'.\n");
  EXPECT_THAT(Complaint({"check", "--zzzzzzzz", "a"}), Not(HasSubstr("did you mean")));
}

TEST(Usage, AFileIsNoCommand) {
  const TempFolder folder;
  const std::string good = folder.Write("good.gguf", Write(Model::Minimal()));
  EXPECT_THAT(Complaint({good}), HasSubstr("; did you mean ggufgate check " + good + "?\n"));
}

TEST(Usage, AMisspeltOptionIsSuggested) {
  EXPECT_EQ(Complaint({"check", "--fromat", "json", "a"}),
            "ggufgate: check has no option \"--fromat\"; did you mean --format?\n"
            "Try 'ggufgate check --help'.\n");
  EXPECT_THAT(Complaint({"check", "--fromat=json", "a"}), HasSubstr("did you mean --format?"));
  EXPECT_THAT(Complaint({"policy", "print", "--profil", "gate"}),
              HasSubstr("ggufgate: policy print has no option \"--profil\"; did you mean "
                        "--profile?"));
  EXPECT_THAT(Complaint({"--versoin"}),
              AllOf(StartsWith("ggufgate: there is no option \"--versoin\"; did you mean "
                               "--version?\n"),
                    HasSubstr("Try 'ggufgate --help'.")));
}

// An unknown option is reported before the values that are missing because of it.
TEST(Usage, TheFirstFaultIsTold) {
  EXPECT_THAT(Complaint({"check", "--quite"}), HasSubstr("did you mean --quiet?"));
  EXPECT_EQ(Complaint({"rules", "surplus"}),
            "ggufgate: rules takes no further argument: \"surplus\"\n"
            "Try 'ggufgate rules --help'.\n");
}

TEST(Usage, AChoiceNamesWhatThereIs) {
  EXPECT_EQ(Complaint({"rules", "-f", "xml\x1b"}),
            "ggufgate: --format: must be one of text, json, markdown, not \"xml\\x1b\"\n"
            "Try 'ggufgate rules --help'.\n");
  EXPECT_EQ(RunCommand({"rules", "-f", "markdown"}).exit_code, 0);
  EXPECT_EQ(Complaint({"check", "a", "--format", "yaml"}),
            "ggufgate: --format: must be one of text, json, jsonl, sarif, junit, github, "
            "codequality, html, loaders, markdown, not \"yaml\"\nTry 'ggufgate check --help'.\n");
}

TEST(Usage, AnOptionWithoutItsValueIsNamed) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check", "a", "--format"}, {"check", "a", "--jobs"}, {"check", "a", "--policy"}}) {
    EXPECT_EQ(Complaint(command),
              "ggufgate: " + command.back() + " needs a value\nTry 'ggufgate check --help'.\n");
  }
}

TEST(Usage, ANumberNamesItsLimits) {
  for (const std::string word : {"0", "1025", "99999999999999999999", "-1"}) {
    const std::string error = Complaint({"check", "a", "--jobs=" + word});
    EXPECT_THAT(error, StartsWith("ggufgate: --jobs: must be a whole number"));
    EXPECT_THAT(error, HasSubstr(", not \"" + word + "\"\n"));
  }
  EXPECT_EQ(Complaint({"check", "a", "--jobs", "1025"}),
            "ggufgate: --jobs: must be a whole number from 1 to 1024, not \"1025\"\n"
            "Try 'ggufgate check --help'.\n");
  EXPECT_THAT(Complaint({"mutate", "a", "--seed", "x\x1b"}),
              StartsWith("ggufgate: --seed: must be a whole number, not \"x\\x1b\"\n"));
}

TEST(Usage, AnOptionThatIsGivenTwiceIsNamed) {
  EXPECT_EQ(Complaint({"check", "a", "--profile", "gate", "--profile", "spec"}),
            "ggufgate: --profile is given 2 times; give it once\nTry 'ggufgate check --help'.\n");
  EXPECT_THAT(Complaint({"check", "a", "--quiet=x"}), HasSubstr("--quiet"));
}

TEST(Usage, AnEmptyWordIsRefused) {
  EXPECT_EQ(Complaint({"check", ""}),
            "ggufgate: PATH: must not be empty\nTry 'ggufgate check --help'.\n");
  EXPECT_THAT(Complaint({"check", "a", "--output", ""}), HasSubstr("--output: must not be empty"));
  EXPECT_THAT(Complaint({"inspect", ""}), HasSubstr("FILE: must not be empty"));
}

TEST(Usage, AnOptionWithoutItsDashesIsSuggested) {
  EXPECT_EQ(Complaint({"version"}),
            "ggufgate: there is no command \"version\"; did you mean --version?\n"
            "Try 'ggufgate --help'.\n");
}

TEST(Usage, OneFileIsNoFolder) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"manifest", "/"}, {"inspect", "/"}, {"diff", "/", "/"}, {"verify", "/", "/"}}) {
    EXPECT_EQ(Complaint(command), "ggufgate: / is a folder; " + command.front() +
                                      " takes one file: try ggufgate check /\n");
  }
}

TEST(Usage, NoCommandListsThem) {
  for (const std::vector<std::string>& none : {std::vector<std::string>{}, {"--color", "never"}}) {
    const std::string text = Complaint(none);
    EXPECT_THAT(text, StartsWith("ggufgate: a command is missing. There are:\n\n    check "));
    EXPECT_THAT(text, HasSubstr("\nTry 'ggufgate check FILE' or 'ggufgate --help'.\n"));
    EXPECT_LT(Lines(text).size(), 24U) << "a screen";
  }
  EXPECT_THAT(Complaint({"policy"}), AllOf(StartsWith("ggufgate: policy: a command is missing."),
                                           HasSubstr("\n    print ")));
}

TEST(Usage, HelpShowsThePageOfACommand) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"check"}, {"help"}, {"policy"}, {"policy", "print"}}) {
    std::vector<std::string> asked = {"help"};
    asked.insert(asked.end(), words.begin(), words.end());
    std::vector<std::string> option = words;
    option.emplace_back("--help");
    const CommandResult result = RunCommand(asked);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, RunCommand(option).out);
  }
  EXPECT_THAT(Complaint({"help", "chekc"}), HasSubstr("did you mean check?"));
  EXPECT_THAT(Complaint({"help", "policy", "pint"}), HasSubstr("did you mean print?"));
  EXPECT_THAT(Complaint({"help", "check", "x"}), HasSubstr("there is no command \"x\""));
}

TEST(Usage, VersionHasAShortOption) {
  EXPECT_EQ(RunCommand({"-V"}).out, RunCommand({"--version"}).out);
  EXPECT_EQ(RunCommand({"-V"}).exit_code, 0);
}

TEST(Usage, HostileWordsAreEchoedHarmlessly) {
  for (const std::string hostile :
       {"\x1b[31m", "--\x1b]0;t\x07", "-\xff", "--a\nb", "[x]", "--[x]"}) {
    EXPECT_THAT(Complaint({hostile}), HasSubstr("\nTry '"));
    EXPECT_THAT(Complaint({"help", hostile}), HasSubstr("\nTry '"));
    EXPECT_THAT(Complaint({"policy", hostile}), HasSubstr("\nTry '"));
  }
}

}  // namespace
}  // namespace ggufgate::testing
