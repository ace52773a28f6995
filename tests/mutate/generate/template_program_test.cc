// Programs in Jinja. tests/templates/generated_programs.py, which has Jinja2, tests that they
// render.

#include "mutate/generate/program/template_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace ggufgate::mutate {
namespace {

using ::testing::HasSubstr;

std::array<std::uint8_t, kTemplateProgramRoom> room;

std::string Harmless(std::uint64_t seed) {
  return std::string(TemplateProgramOf(seed, TemplatePlan::kHarmless, room).text);
}

// EndOf returns the end of the tag whose contents begin at `at`; an end in quotes does not count.
std::size_t EndOf(const std::string& text, std::size_t at, std::string_view end) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    if (quote != 0 && text[at] == '\\') {
      ++at;
    } else if (quote != 0) {
      quote = text[at] == quote ? char{0} : quote;
    } else if (text[at] == '\'' || text[at] == '"') {
      quote = text[at];
    } else if (text.compare(at, end.size(), end) == 0) {
      break;
    }
  }
  return at;
}

// OpenAtTheEndOf lists the blocks that are not closed.
std::vector<std::string> OpenAtTheEndOf(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const std::string_view sign = std::string_view(text).substr(at, 2);
    if (sign == "{#") at = text.find("#}", at + 2) + 1;
    if (sign == "{{") at = EndOf(text, at + 2, "}}") + 1;
    if (sign != "{%") continue;
    const std::size_t end = EndOf(text, at + 2, "%}");
    std::string code = text.substr(at + 2, end - at - 2);
    code.erase(0, code.find_first_not_of("-+ "));
    const std::string word = code.substr(0, code.find_first_of(" -"));
    at = end + 1;
    if (word == "raw") {
      at = text.find("%}", text.find("endraw", at)) + 1;
    } else if (word.starts_with("end")) {
      if (open.empty() || "end" + open.back() != word) return {word + " closes nothing"};
      open.pop_back();
    } else if (word == "if" || word == "for" || word == "macro" || word == "filter" ||
               word == "with" || word == "call" ||
               (word == "set" && code.find(" = ") == std::string::npos)) {
      open.push_back(word);
    }
  }
  return open;
}

TEST(TemplateProgram, IsMadeOfItsSeedAlone) {
  EXPECT_EQ(Harmless(7), Harmless(7));
  std::set<std::string> programs;
  for (std::uint64_t seed = 0; seed < 500; ++seed) programs.insert(Harmless(seed));
  EXPECT_GT(programs.size(), 495U);
}

TEST(TemplateProgram, HasAllThatTheLanguageHas) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) all += Harmless(seed);
  for (const char* part :
       {"macro_",          "call wrap_", "caller()",  "namespace(", "groupby",         "dictsort",
        "selectattr",      "endset",     "endfilter", "endwith",    "endraw",          "{#",
        "loop.cycle",      "break",      "continue",  "elif",       "tojson(indent=",  "tool_calls",
        "raise_exception", "[::-1]",     ".format(",  "% (",        " is divisibleby", "| join("}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
}

TEST(TemplateProgram, EndsWhereNothingIsLeftToDecide) {
  EXPECT_EQ(MakeTemplateProgram({}, TemplatePlan::kHarmless, room).text,
            "{{ 'user' }}{{ 'user' }}");
}

// There is space for every end of a block, regardless of the number of open blocks and the
// available space.
TEST(TemplateProgram, IsWholeInAnyRoom) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const std::size_t size = 24 + seed % kTemplateProgramRoom;
    const std::string text(TemplateProgramOf(seed, TemplatePlan::kHarmless,
                                             MutableBytes(room).first(std::min(size, room.size())))
                               .text);
    ASSERT_LE(text.size(), size);
    ASSERT_FALSE(text.empty());
    ASSERT_THAT(OpenAtTheEndOf(text), ::testing::IsEmpty()) << text;
  }
}

TEST(TemplateProgram, NamesTheRuleThatItBreaks) {
  std::set<std::string> rules;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    rules.emplace(TemplateProgramOf(seed, TemplatePlan::kBroken, room).rule);
    EXPECT_TRUE(TemplateProgramOf(seed, TemplatePlan::kHarmless, room).rule.empty());
  }
  EXPECT_THAT(rules,
              ::testing::ElementsAre("template-injection", "template-limit", "template-syntax"));
}

}  // namespace
}  // namespace ggufgate::mutate
