// ggufgate explain: describes one rule.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "bytes/grouped.h"
#include "check/rule.h"
#include "format/contracts/contract.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

// Unwrapped joins the lines of a page again.
std::string Unwrapped(const std::string& page) {
  std::string text;
  for (const std::string& line : Lines(page)) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    text += (text.empty() ? "" : " ") + line.substr(begin);
  }
  return text;
}

// RestsOnContracts tells, by the words of a rule, whether the rule is based on measurements of
// llama.cpp.
bool RestsOnContracts(const Rule& rule) {
  constexpr std::array<std::string_view, 7> kOfLines = {
      "tensor-role",    "tensor-used",  "tensor-unfit", "tensor-unknown", "hyperparameter-missing",
      "tensor-missing", "shape-refused"};
  const auto tells = [](std::string_view message) {
    return message.find("{release} {other:plain}") != std::string_view::npos;
  };
  return std::ranges::any_of(rule.messages, tells) || std::ranges::count(kOfLines, rule.slug) > 0;
}

TEST(Explain, TellsAllOfEveryRule) {
  for (const Rule& rule : AllRules()) {
    const CommandResult result = RunCommand({"explain", std::string(rule.slug)});
    ASSERT_EQ(result.exit_code, 0) << rule.slug;
    EXPECT_THAT(result.error, IsEmpty());
    EXPECT_TRUE(IsHarmless(result.out));
    EXPECT_THAT(result.out, StartsWith(std::string(rule.slug) + "  ("));
    const std::string text = Unwrapped(result.out);
    for (const std::string_view part :
         {rule.what, rule.why, rule.repair, rule.reports, rule.loaders}) {
      EXPECT_THAT(text, HasSubstr(std::string(part)));
    }
    EXPECT_THAT(text, HasSubstr("gate: " + std::string(WordFor(rule.SeverityIn(Profile::kGate)))));
    for (const std::string& line : Lines(result.out)) EXPECT_LE(line.size(), 80U) << line;
    // Every rule of contracts was violated in some architecture.
    EXPECT_EQ(result.out.find("measured on") != std::string::npos, RestsOnContracts(rule))
        << rule.slug;
  }
}

TEST(Explain, LeavesOutSectionsThatAreEmpty) {
  const Rule* rule = FindRule("trailing-bytes");
  ASSERT_TRUE(rule != nullptr && rule->reports.empty());
  EXPECT_THAT(RunCommand({"explain", "trailing-bytes"}).out, Not(HasSubstr("published reports")));
}

// The measurements are listed with the architectures and the stage of each condition.
TEST(Explain, TellsWhatWasMeasuredOnTheReference) {
  const std::string text = Unwrapped(RunCommand({"explain", "rope-dimensions", "--verbose"}).out);
  EXPECT_THAT(text, HasSubstr("measured on llama.cpp v0.5.0"));
  EXPECT_THAT(text, HasSubstr("rope.dimension_count, attention.key_length"));
  EXPECT_THAT(text, HasSubstr("else it aborts when it makes a context: "));
  EXPECT_THAT(text, HasSubstr(" granite "));
  EXPECT_THAT(Unwrapped(RunCommand({"explain", "tensor-role", "-v"}).out), HasSubstr(" llama "));
  EXPECT_THAT(RunCommand({"explain", "magic"}).out, Not(HasSubstr("measured")));
}

// Many architectures are only counted, unless --verbose asks for their names.
TEST(Explain, CountsManyArchitectures) {
  const std::string text = Unwrapped(RunCommand({"explain", "tensor-role"}).out);
  EXPECT_THAT(text,
              HasSubstr("else it aborts or crashes when it decodes: " +
                        Grouped(AllContracts().size()) + " of " + Grouped(AllContracts().size()) +
                        " architectures --verbose lists the architectures."));
  EXPECT_THAT(text, Not(HasSubstr(" llama ")));
  const std::string few = Unwrapped(RunCommand({"explain", "context-unshiftable"}).out);
  EXPECT_THAT(few, HasSubstr(": granite granitehybrid graniteswitch "));
  EXPECT_THAT(few, Not(HasSubstr("--verbose")));
}

TEST(Explain, OfAnUnknownRuleNamesTheNearest) {
  const CommandResult near = RunCommand({"explain", "tensor-data-bound"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.out, IsEmpty());
  EXPECT_EQ(near.error,
            "ggufgate: there is no rule \"tensor-data-bound\"; did you mean tensor-data-bounds?\n"
            "Try 'ggufgate rules'.\n");
}

TEST(Explain, OfNonsenseNamesNothing) {
  const CommandResult far = RunCommand({"explain", "0123456789 0123456789 0123456789"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_THAT(far.error, Not(HasSubstr("did you mean")));
}

TEST(Explain, AnswersHostileNamesHarmlesslyAndAtOnce) {
  const CommandResult hostile = RunCommand({"explain", "\x1b[31m\n\xff"});
  EXPECT_EQ(hostile.exit_code, 2);
  EXPECT_TRUE(IsHarmless(hostile.error));
  EXPECT_THAT(hostile.error, HasSubstr(R"("\x1b[31m\x0a\xff")"));
  const CommandResult empty = RunCommand({"explain", ""});
  EXPECT_EQ(empty.exit_code, 2);
  const CommandResult endless = RunCommand({"explain", std::string(100'000, 'a')});
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_LT(endless.error.size(), 500U);
}

TEST(Explain, TakesExactlyOneRule) {
  EXPECT_EQ(RunCommand({"explain"}).exit_code, 2);
  EXPECT_EQ(RunCommand({"explain", "magic", "version"}).exit_code, 2);
}

}  // namespace
}  // namespace ggufgate::testing
