// Formats html and markdown: their contents, and that text of a file is only text in them.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "check/rule.h"
#include "format/contracts/contract_table.h"
#include "parse/model.h"
#include "report/pages/inert_markdown.h"
#include "report/reporter.h"
#include "tests/report/file_reports.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/page_tags.h"

namespace ggufgate::testing {
namespace {

using testing::kRejected;

std::string PageReport(Format format, const std::vector<FileReport>& files,
                       const ReportStyle& style = {}, const Policy& policy = {}) {
  std::ostringstream out;
  const auto reporter = MakeReporter(format, policy, style, out);
  for (const FileReport& file : files) reporter->Add(file);
  reporter->Finish();
  return out.str();
}

// Uses this text for everything in a report that can come from a file or a policy.
std::vector<FileReport> HostileReports(const std::string& text) {
  Model model = Model::Minimal().Set(text, std::uint32_t{1}).Set(text, text);
  model.Set("general.architecture", text)
      .Set("tokenizer.chat_template", text + "{{ ''.__class__ }}");
  model.Add(text, TensorType::kF32, {8}).offset = 4;
  std::vector<FileReport> reports = {JudgedModel(model, text), Undecided(text, text)};
  if (!reports.front().findings.list.empty()) {
    reports.front().findings.list.front().suppression = text;
  }
  return reports;
}

TEST(HtmlReporter, SaysWhatTheTextReportSays) {
  const std::string page =
      PageReport(Format::kHtml, {JudgedModel(Model::Minimal(), "good"),
                                 JudgedModel(kRejected, "bad"), Undecided("gone", "no such file")});
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>\n"));
  EXPECT_THAT(page, AllOf(HasSubstr("<code class=\"path\">good</code>"),
                          HasSubstr("data-severity=\"error\" data-rule=\"key-empty\""),
                          HasSubstr("<code class=\"offset\">0x44</code>"),
                          HasSubstr("<span class=\"about\">no such file</span>")));
  EXPECT_THAT(page, AllOf(HasSubstr("<b>1</b> accept"), HasSubstr("<b>1</b> reject"),
                          HasSubstr("<b>1</b> undecided")));
}

TEST(HtmlReporter, OfARuleTheFirstSentenceIsToldAboveTheFiles) {
  Model model = Model::Minimal();
  model.Add("t", TensorType::kF32, {8}).offset = 1 << 20;
  const std::string page = PageReport(Format::kHtml, {JudgedModel(model, "bad")});
  const std::string_view what = RuleOf(RuleId::kTensorDataBounds).what;
  const std::string_view first = "The data of a tensor extend past the end of the file.";
  ASSERT_TRUE(what.starts_with(first));
  ASSERT_GT(what.size(), first.size() + 1);
  EXPECT_THAT(page, HasSubstr("<td>" + std::string(first) + "</td>"));
}

TEST(HtmlReporter, QuietLeavesOutWhatIsAccepted) {
  const std::vector<FileReport> files = {JudgedModel(Model::Minimal(), "good"),
                                         JudgedModel(kRejected, "bad")};
  EXPECT_THAT(PageReport(Format::kHtml, files, {.quiet = true}),
              AllOf(Not(HasSubstr(">good<")), HasSubstr(">bad<"), HasSubstr("<b>1</b> accept")));
  EXPECT_THAT(PageReport(Format::kHtml, files), HasSubstr(">good<"));
}

TEST(HtmlReporter, ShowsWhatIsSuppressedWithItsReason) {
  FileReport report = JudgedModel(kRejected, "a");
  ASSERT_FALSE(report.findings.list.empty());
  report.findings.list.front().suppression = "looked at";
  const std::string page = PageReport(Format::kHtml, {report});
  EXPECT_THAT(page, HasSubstr("<p class=\"reason\">suppressed: looked at</p>"));
}

JudgeOptions ForAllLoaders() {
  JudgeOptions options;
  for (const ContractTable& table : ContractTable::Learned()) {
    options.policy.loaders.push_back(std::make_shared<const ContractTable>(table));
  }
  return options;
}

TEST(HtmlReporter, ShowsTheOutcomeInEachNamedLoader) {
  const JudgeOptions all = ForAllLoaders();
  const FileReport report = JudgedModel(Model::Minimal(), "file", all);
  const std::string page = PageReport(Format::kHtml, {report}, {}, all.policy);
  EXPECT_THAT(page, HasSubstr("<li>llama.cpp v0.5.0 <strong class=\"bad\">unknown</strong> <code "
                              "class=\"rule\">architecture-unknown</code> <span"));
  EXPECT_THAT(page, HasSubstr("<li>llama.cpp b10361 "));
  EXPECT_THAT(PageReport(Format::kHtml, {report}), Not(HasSubstr("<ul class=\"loaders\">")));
}

TEST(HtmlReporter, NothingOfAFileBecomesMarkupForNamedLoadersEither) {
  const JudgeOptions all = ForAllLoaders();
  for (const std::string& hostile : HostileMarkup()) {
    Model model = Model::Minimal();
    model.Set("general.architecture", hostile);
    const std::string page =
        PageReport(Format::kHtml, {JudgedModel(model, hostile, all)}, {}, all.policy);
    EXPECT_THAT(page, HasSubstr("architecture-unknown</code>"));
    EXPECT_EQ(ScriptsIn(page), 1U) << hostile;
    if (hostile.find_first_of("<>&") != std::string::npos) {
      EXPECT_EQ(page.find(hostile), std::string::npos) << hostile;
    }
  }
}

TEST(HtmlReporter, NothingOfAFileBecomesMarkup) {
  const std::string plain = PageReport(Format::kHtml, HostileReports("plain"));
  for (const std::string& hostile : HostileMarkup()) {
    const std::string page = PageReport(Format::kHtml, HostileReports(hostile));
    // Other texts may break other rules and have other facts, but in the same few elements.
    for (const std::string& tag : TagsOf(page)) {
      EXPECT_TRUE(TagsOf(plain).contains(tag) || tag == "p class" || tag == "/p") << tag;
    }
    EXPECT_EQ(ScriptsIn(page), 1U) << hostile;
    if (hostile.find_first_of("<>&") != std::string::npos) {
      EXPECT_EQ(page.find(hostile), std::string::npos) << hostile;
    }
  }
}

TEST(HtmlReporter, ThePolicyLetsNothingInButItsOwnStyleAndScript) {
  const std::string page = PageReport(Format::kHtml, {});
  EXPECT_THAT(page,
              HasSubstr("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  for (const char* const address : {"http:", "https:", "src=", "url(", "@import"}) {
    EXPECT_THAT(page, Not(HasSubstr(address)));
  }
}

TEST(MarkdownReporter, BeginsWithTheNumbers) {
  const std::string text = PageReport(
      Format::kMarkdown, {JudgedModel(Model::Minimal(), "good"), JudgedModel(kRejected, "bad"),
                          Undecided("gone", "no such file")});
  EXPECT_THAT(text, StartsWith("## ggufgate: 3 files, 1 ok, 1 rejected, 1 undecided\n\n"
                               "| rule | severity | findings | files |\n|---|---|---:|---:|\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("#### reject: <code>bad</code>"),
                          HasSubstr("| `0x44` | error | `key-empty` | <code>"),
                          HasSubstr("#### undecided: <code>gone</code>"), Not(HasSubstr("good"))));
}

TEST(MarkdownReporter, NothingOfAFileBecomesMarkup) {
  for (const std::string& hostile : HostileMarkup()) {
    const std::string text =
        PageReport(Format::kMarkdown, HostileReports(hostile), {.verbose = true});
    for (const std::string& tag : TagsOf(text)) {
      EXPECT_TRUE(tag == "code" || tag == "/code" || tag == "br") << tag;
    }
    EXPECT_THAT(text, Not(HasSubstr("evil.example)")));
    for (const char* const address : {"://", "www.", "@", "javascript:", "]("}) {
      EXPECT_THAT(text, Not(HasSubstr(address))) << hostile;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("|")) continue;
      const auto bars = std::ranges::count(line, '|');
      EXPECT_TRUE(bars == 5) << "a table of four columns: " << line;
    }
  }
}

TEST(MarkdownReporter, FitsAStepSummaryAndSaysWhatItLeavesOut) {
  const FileReport rejected = JudgedModel(kRejected, std::string(500, '*'));
  const std::string few = PageReport(Format::kMarkdown, std::vector<FileReport>(10, rejected));
  EXPECT_THAT(few, Not(HasSubstr("did not fit")));
  const std::string many = PageReport(Format::kMarkdown, std::vector<FileReport>(2'000, rejected));
  EXPECT_LT(many.size(), std::size_t{1} << 20);
  EXPECT_THAT(many, HasSubstr("more files with findings did not fit**"));
  EXPECT_THAT(many, StartsWith("## ggufgate: 2,000 files, 0 ok, 2,000 rejected"));
}

TEST(InertMarkdown, LeavesWordsAndReplacesWhatCouldBeMarkup) {
  EXPECT_EQ(InertMarkdown(""), "");
  EXPECT_EQ(InertMarkdown("blk.0 at 4,096"), "<code>blk.0 at 4,096</code>");
  EXPECT_EQ(InertMarkdown("a|b`c"), "<code>a&#124;b&#96;c</code>");
  EXPECT_EQ(InertMarkdown("www.x"), "<code>www&#46;x</code>");
  EXPECT_EQ(InertMarkdown("é"), "<code>é</code>");
}

}  // namespace
}  // namespace ggufgate::testing
