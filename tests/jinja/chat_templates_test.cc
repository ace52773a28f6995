// Two hundred templates that must pass, and attacks that must not: chat_templates/.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "jinja/template.h"
#include "jinja/trust/trust.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/sizes.h"

namespace ggufgate::testing {
namespace {

struct TemplateFile {
  std::string name;
  std::string text;
};

std::vector<TemplateFile> TemplatesIn(std::string_view folder) {
  std::vector<TemplateFile> files;
  const auto path = std::filesystem::path(GGUFGATE_SOURCE_DIR) / "tests/jinja/chat_templates";
  for (const auto& entry : std::filesystem::directory_iterator(path / folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  std::ranges::sort(files, {}, &TemplateFile::name);
  return files;
}

Model With(const std::string& text) {
  Model model;
  model.Set("general.architecture", "llama").Set("tokenizer.chat_template", text);
  return model;
}

std::vector<std::string> Fired(const std::string& text) {
  std::vector<std::string> rules;
  for (const std::string& rule : Judge(With(text)).Rules(Severity::kWarning)) {
    if (rule.starts_with("template-")) rules.push_back(rule);
  }
  return rules;
}

TEST(ChatTemplates, HonestOnesPassWithoutAWarning) {
  const std::vector<TemplateFile> files = TemplatesIn("good");
  EXPECT_GE(files.size(), 200U);
  for (const TemplateFile& file : files) EXPECT_THAT(Fired(file.text), IsEmpty()) << file.name;
}

TEST(ChatTemplates, AttacksDoNot) {
  const std::vector<TemplateFile> files = TemplatesIn("attacks");
  EXPECT_GE(files.size(), 60U);
  for (const TemplateFile& file : files) {
    EXPECT_THAT(Fired(file.text), ElementsAre("template-injection")) << file.name;
  }
}

// An attack in a harmless template is found at any position once it is code: here at the end.
TEST(ChatTemplates, AttacksAreFoundBehindHonestOnes) {
  const std::vector<TemplateFile> attacks = TemplatesIn("attacks");
  std::size_t next = 0;
  for (const TemplateFile& file : TemplatesIn("good")) {
    const std::string& attack = attacks.at(next++ % attacks.size()).text;
    const Judged judged = Judge(With(file.text + attack));
    EXPECT_GT(TotalOf(judged, RuleId::kTemplateInjection), 0U) << file.name << "\n" << attack;
  }
}

void ExpectSound(const std::string& text) {
  std::uint64_t work = 0;
  for (const TemplateRemark& remark : ReadTemplate(text, &work)) {
    ASSERT_LE(remark.at, text.size());
    ASSERT_LE(remark.size, text.size() - remark.at);
    ASSERT_GT(remark.size, 0U);
  }
  // Both analyses read the text several times.
  ASSERT_LE(work, WorkFor(text.size()) + (kTemplateReadings + kTrustReadings + 3) * text.size());
  for (const HiddenText& hidden : FindHidden(text)) {
    ASSERT_LE(hidden.at, text.size());
    ASSERT_LE(hidden.size, text.size() - hidden.at);
  }
}

std::vector<TemplateFile> AllTemplates() {
  std::vector<TemplateFile> all = TemplatesIn("good");
  for (TemplateFile& file : TemplatesIn("attacks")) all.push_back(std::move(file));
  return all;
}

TEST(TemplateProperties, CutAnywhere) {
  std::mt19937_64 random(1);
  for (const TemplateFile& file : AllTemplates()) {
    for (int round = 0; round < (kFullLength ? 20 : 4); ++round) {
      ExpectSound(file.text.substr(0, random() % (file.text.size() + 1)));
      ExpectSound(file.text.substr(random() % (file.text.size() + 1)));
    }
    if (HasFatalFailure()) FAIL() << file.name;
  }
}

TEST(TemplateProperties, MutatedAnywhere) {
  constexpr std::string_view kBytes = "{}%#'\"\\()[]|.,~+-*_:=\n\xE2\x80\x8B 09ax";
  std::mt19937_64 random(2);
  for (const TemplateFile& file : AllTemplates()) {
    for (int round = 0; round < (kFullLength ? 20 : 4); ++round) {
      std::string text = file.text;
      for (std::size_t edits = random() % 4; edits < 4; ++edits) {
        text.at(random() % text.size()) = kBytes.at(random() % kBytes.size());
        if (random() % 2 == 0) text.erase(random() % text.size(), random() % 8);
        if (text.empty()) text = "{";
      }
      ExpectSound(text);
    }
    if (HasFatalFailure()) FAIL() << file.name;
  }
}

TEST(TemplateProperties, SoupsOfTokens) {
  constexpr std::array<std::string_view, 64> kTokens = {
      "{{",       "}}",      "{%",       "%}",      "{#",    "#}",      "-%}",      "{%- ",
      "'__cl'",   "'ass__'", "'%c'",     "'{0}'",   "\"a\"", "'\\x5f'", "'\\N{",    "1",
      "95",       "1e9",     "**",       "~",       "+",     "%",       "*",        "-",
      "|join",    "|format", "|replace", "|attr",   "|map",  "|list",   "|reverse", "(",
      ")",        "[",       "]",        "{",       "}",     ",",       ":",        "=",
      ".",        "x",       "ns",       ".format", ".join", ".append", ".split",   ".get",
      "set",      "for",     "in",       "if",      "else",  "macro",   "call",     "endset",
      "endmacro", "range",   "dict",     "is",      "not",   "raw",     "endraw",   "\xE2\x80\x8B"};
  std::mt19937_64 random(3);
  for (int round = 0; round < (kFullLength ? 100'000 : 10'000); ++round) {
    std::string text = random() % 2 == 0 ? "{{ " : "{% ";
    for (std::size_t length = random() % 30; length > 0; --length) {
      text += kTokens.at(random() % kTokens.size());
      if (random() % 3 != 0) text += ' ';
    }
    ExpectSound(text);
    if (HasFatalFailure()) FAIL() << text;
  }
}

// Twice the template takes at most slightly more than twice the work, for any template.
TEST(TemplateProperties, WorkIsLinear) {
  for (const char* piece :
       {"{{ a }}", "{% if x %}", "{% set a = a ~ 'b' %}", "{{ 'a'|list|join|list }}", "((((",
        "{{ [", "{% macro f(a) %}{{ f(a) }}{% endmacro %}", "{{ x['a', 'b', 'c'][1:2:3] }}",
        "{%   ", "{% raw %}{% ", "{% set l = l + ['a'] %}", "{{ a.append('b') }}", "'a' 'b' ",
        "{{ not not", "{{ '%s' % a % b }}", "\xE2\x80\x8B", "http://a.b ", "{% for a in a %}",
        "{{ ''*1000000 }}"}) {
    const auto work = [&](std::size_t times) {
      std::string text;
      for (std::size_t i = 0; i < times; ++i) text += piece;
      std::uint64_t steps = 0;
      static_cast<void>(ReadTemplate(text, &steps));
      return static_cast<double>(steps);
    };
    // The constant part of the budget allows short templates more work for their size.
    EXPECT_LE(work(4'000), 2.2 * work(2'000) + 2 * static_cast<double>(WorkFor(0))) << piece;
  }
}

}  // namespace
}  // namespace ggufgate::testing
