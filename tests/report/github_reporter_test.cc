#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "parse/model.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/texts/command_text.h"
#include "tests/support/texts/hostile_texts.h"

namespace ggufgate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::JudgedModel;
using testing::kNoted;
using testing::kRejected;
using testing::kWarned;
using testing::Lines;
using ::testing::StartsWith;

std::vector<std::string> Annotations(const std::vector<FileReport>& files,
                                     const ReportStyle& style = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(Format::kGithub, Policy{}, style, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return Lines(out.str());
}

TEST(GithubReporter, SaysNothingOfASoundFile) {
  EXPECT_THAT(Annotations({JudgedModel(Model::Minimal(), "a")}), IsEmpty());
}

TEST(GithubReporter, AnnotatesTheFirstLineWithRulePlaceAndByte) {
  EXPECT_THAT(Annotations({JudgedModel(kRejected, "models/a.gguf")}),
              ElementsAre("::error file=models/a.gguf,line=1,title=key-empty::metadata[1]: the key "
                          "is empty (at byte 0x44)"));
}

TEST(GithubReporter, WordsFollowTheSeverity) {
  EXPECT_THAT(Annotations({JudgedModel(kWarned, "a")}),
              ElementsAre(StartsWith("::warning file=a,line=1,title=string-utf8::text: ")));
  EXPECT_THAT(Annotations({JudgedModel(kNoted, "a")}), IsEmpty()) << "notes are for --verbose";
  EXPECT_THAT(Annotations({JudgedModel(kNoted, "a")}, {.verbose = true}),
              ElementsAre(StartsWith("::notice file=a,line=1,title=key-style::Not.Lower: ")));
}

TEST(GithubReporter, QuietIsAboutAcceptedFiles) {
  const ReportStyle quiet{.quiet = true};
  EXPECT_THAT(Annotations({JudgedModel(kWarned, "a")}, quiet), IsEmpty());
  EXPECT_EQ(Annotations({JudgedModel(kRejected, "a")}, quiet).size(), 1U);
}

TEST(GithubReporter, AnUndecidedFileIsAnErrorAndItsFindingsDoNotCount) {
  FileReport report = JudgedModel(kRejected, "a");
  report.verdict = Verdict::kUndecided;
  report.problem = absl::AbortedError("the file changed");
  EXPECT_THAT(Annotations({report}, {.quiet = true}),
              ElementsAre("::error file=a,line=1,title=undecided::undecided: the file changed"));
}

// GitHub shows ten errors and ten warnings per step.
TEST(GithubReporter, WritesTheRestIntoTheLogAndCountsIt) {
  std::vector<FileReport> files(10, JudgedModel(kRejected, "a"));
  EXPECT_THAT(Annotations(files), ::testing::Each(StartsWith("::error file=a,")));
  EXPECT_EQ(Annotations(files).size(), 10U);
  files.push_back(JudgedModel(kRejected, "b\n::error::%"));
  files.push_back(JudgedModel(kWarned, "c"));  // warnings have a separate limit
  const std::vector<std::string> lines = Annotations(files);
  ASSERT_EQ(lines.size(), 13U);
  EXPECT_THAT(lines.at(10), StartsWith("also error[key-empty] b\\x0a::error::%: metadata[1]: "));
  EXPECT_THAT(lines.at(11), StartsWith("::warning file=c,"));
  EXPECT_EQ(lines.at(12),
            "::notice title=ggufgate::and 1 more finding in 1 file: see the log of this step");
}

TEST(GithubReporter, KeepsTheLastNoticeForWhatItLeavesOut) {
  const ReportStyle verbose{.verbose = true};
  const std::vector<FileReport> files(1'011, JudgedModel(kNoted, "a"));
  const std::vector<std::string> lines = Annotations(files, verbose);
  EXPECT_EQ(
      std::ranges::count_if(lines, [](const std::string& line) { return line.starts_with("::"); }),
      10);
  EXPECT_EQ(lines.back(),
            "::notice title=ggufgate::and 1,002 more findings in 1,002 files: see the log of this "
            "step");
}

TEST(GithubReporter, TellsTheCause) {
  std::vector<std::uint8_t> file = Write(Model::Minimal());
  file.resize(file.size() - 16);
  EXPECT_THAT(Annotations({JudgeSource(MemorySource(file), "a", {})}),
              ElementsAre(AllOf(HasSubstr("cut short"), EndsWith("; fetch it again"))));
}

TEST(GithubReporter, CountsWhatItDoesNotList) {
  Model model = Model::Minimal();
  for (int i = 0; i < 25; ++i) model.Set("bad key" + std::to_string(i) + "\x7f", std::uint32_t{1});
  const std::vector<std::string> lines = Annotations({JudgedModel(model, "a")});
  ASSERT_EQ(lines.size(), 22U);
  EXPECT_EQ(lines.at(20), "::notice file=a,line=1,title=key-characters::and 5 more");
  EXPECT_THAT(lines.back(), HasSubstr("::and 10 more findings in 1 file: "));
}

TEST(GithubReporter, EscapesWhatEndsACommandOrAProperty) {
  const FileReport report = JudgedModel(Model::Minimal().Set("100%,a:b\n::x", "\xff"), "a,b:c%d\n");
  EXPECT_THAT(Annotations({report}, {.verbose = true}),
              ::testing::Contains(AllOf(StartsWith("::warning file=a%2Cb%3Ac%25d\\x0a,line=1,"),
                                        HasSubstr("::100%25,a:b\\x0a::x: "))));
}

TEST(GithubReporter, NoTextForgesACommand) {
  for (const std::string& text : testing::HostileTexts()) {
    Model model = Model::Minimal().Set(text, text);
    model.Add(text, TensorType::kI8, {0});
    FileReport undecided;
    undecided.path = text;
    undecided.problem = absl::NotFoundError(text);
    for (const FileReport& report : {JudgedModel(model, text), undecided}) {
      for (const std::string& line : Annotations({report}, {.verbose = true})) {
        EXPECT_TRUE(testing::IsHarmless(line));
        EXPECT_THAT(line, ::testing::MatchesRegex(
                              "::(error|warning|notice) file=[^,:]*,line=1,title=[a-z0-9-]*::.*"));
      }
    }
  }
}

}  // namespace
}  // namespace ggufgate
