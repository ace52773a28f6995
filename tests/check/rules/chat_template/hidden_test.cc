// template-hidden: parts that a reader of the template does not see, and the most similar valid
// text.

#include "tests/check/rules/chat_template/judged_template.h"

namespace ggufgate::testing {
namespace {

TEST(TemplateHidden, Characters) {
  using Says = TemplateHiddenWording;
  constexpr RuleId kRule = RuleId::kTemplateHidden;
  ExpectFinding(Says::kInvisible, "a\xE2\x80\x8B\xE2\x80\x8B\xE2\x81\xA0 b", 1, 9, Text("U+200B"));
  ExpectFinding(Says::kDirection, "{# \xE2\x80\xAE #}", 3, 3, Text("U+202E"));
  ExpectFinding(Says::kInvisible, "a\xF3\xA0\x81\x81", 1, 4, Text("U+E0041"));
  ExpectFinding(Says::kInvisible, "a\x1B[0m", 1, 1, Text("U+001B"));
  ExpectFinding(Says::kInvisible, "a\xC2\xAD", 1, 2, Text("U+00AD"));
  ExpectFinding(Says::kInvisible, "a\xEF\xBB\xBF", 1, 3, Text("U+FEFF"));
  ExpectFinding(Says::kInvisible, "\xEF\xB8\x8F", 0, 3, Text("U+FE0F"));
  ExpectFinding(Says::kInvisible, "a\xEF\xB8\x8F\xEF\xB8\x8F", 4, 3, Text("U+FE0F"));
  ExpectFinding(Says::kInvisible,
                "a\xE2\x80\x8D"
                "b",
                1, 3, Text("U+200D"));
  ExpectFinding(Says::kDirection, "a\xE2\x80\x8F", 1, 3, Text("U+200F"));
  ExpectFinding(Says::kInvisible, "a\xF0\x9D\x85\xB3", 1, 4, Text("U+1D173"));
  const Finding finding = Judge(With("a\xE2\x80\x8B\xE2\x80\x8B")).Only(kRule);
  EXPECT_EQ(finding.other, Number(2));
  EXPECT_EQ(Severities(With("\xE2\x80\x8B"), kRule), "warning warning off");
}

TEST(TemplateHidden, LeavesScriptsAndPicturesAlone) {
  for (const char* text :
       {"\xEF\xBB\xBFtext\ttab\r\n",                     // byte order mark
        "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB",  // woman, joiner, laptop
        "\xE2\x9D\xA4\xEF\xB8\x8F",                      // heart, selector
        "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF",  // a flag
        "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE",                              // Persian, non-joiner
        "\xD7\x90\xE2\x80\x8F.",                                             // Hebrew, mark
        "\xEF\xBD\x9C\xE2\x96\x81",                 // full-width bar, lower block
        "\xE3\x80\x80\xC2\xA0", "\xFF\xFE\xC3"}) {  // blanks; not UTF-8
    EXPECT_EQ(TotalOf(Judge(With(text)), RuleId::kTemplateHidden), 0U) << text;
  }
  // Tags that are not a flag: no black flag before them, no end, or other characters between them.
  for (const char* text : {"a\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF", "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7",
                           "\xF0\x9F\x8F\xB4\xF3\xA0\x80\x81\xF3\xA0\x81\xBF"}) {
    EXPECT_EQ(TotalOf(Judge(With(text)), RuleId::kTemplateHidden), 1U) << text;
  }
}

TEST(TemplateHidden, Addresses) {
  using Says = TemplateHiddenWording;
  ExpectFinding(Says::kAddress, "a http://b.co/x", 2, 11, Text("b.co"));
  ExpectFinding(Says::kAddress, "{{ 'https://b.co:8080' }}", 4, 17, Text("b.co:8080"));
  ExpectFinding(Says::kAddress, "{% raw %}raw ftp://b.co{% endraw %}", 13, 10, Text("b.co"));
  ExpectFinding(Says::kAddress, "http://notexample.com", 0, 21, Text("notexample.com"));
  for (const char* text :
       {"http://example.com/x", "https://a.example.org", "http://localhost:8080", "http://a.test",
        "http://json-schema.org/draft-07/schema#", "{# https://b.co #}", "file://b.co", "://b.co",
        "http://", "http:// b.co", "http://x.invalid", "http://x.example"}) {
    EXPECT_THAT(Fired(text), IsEmpty()) << text;
  }
}

TEST(TemplateHidden, Words) {
  using Says = TemplateHiddenWording;
  ExpectFinding(Says::kPhrase, "{% if 'open the door' in messages[-1].content %}{% endif %}", 22, 2,
                Text("open the door"));
  ExpectFinding(Says::kPhrase, "{% if m['content'] == 'please help' %}{% endif %}", 19, 2,
                Text("please help"));
  ExpectFinding(Says::kPhrase, "{% if m.content.startswith('good day') %}{% endif %}", 16, 10,
                Text("good day"));
  ExpectFinding(Says::kPhrase, "{% set c = m.content|lower %}{{ 1 if 'good day' in c }}", 48, 2,
                Text("good day"));
  ExpectFinding(Says::kPhrase, "{% if m.text is eq('good day') %}{% endif %}", 16, 2,
                Text("good day"));
  for (const char* code :
       {"{% if '</think>' in m.content or 'thinking' in m.content %}{% endif %}",
        "{% if m.content.startswith('Tool result: x') or m.content == '' %}{% endif %}",
        "{% if m.role == 'added files' or 'good day' in tools %}{% endif %}",
        "{% if m.content is string and m.content is not eq(x) %}{% endif %}",
        "{% if 'image' in m.content or m.content.split('good day') %}{% endif %}",
        "{% if m.content.startswith() or x.startswith('good day') %}{% endif %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

// For a message of the system or of a tool it is a note, and so is an address in every prompt.
TEST(TemplateHidden, WhatIsNoSwitchOfTheUser) {
  constexpr RuleId kRule = RuleId::kTemplateHidden;
  for (const char* code :
       {"{% if m.role == 'system' and 'good day' in m.content %}{% endif %}",
        "{% if m['role'] == 'tool' %}{% if 'not found' in m.content|lower %}{% endif %}{% endif %}",
        "{% set c = m.content %}{% if m.role == 'user' %}{% elif m.role == 'tool' %}"
        "{{ 1 if 'not found' in c }}{% endif %}",
        "see http://b.co/x", "{{ 'http://b.co' }}", "{{- 'a' ~ 'http://b.co' -}}"}) {
    EXPECT_EQ(Judge(With(code)).Only(kRule).severity, Severity::kNote) << code;
  }
  for (const char* code :
       {"{% if m.role == 'user' and 'good day' in m.content %}{% endif %}",
        "{% if m.role == 'tool' or 'good day' in m.content %}{% endif %}",
        "{% if m.role != 'tool' and 'good day' in m.content %}{% endif %}",
        "{% if m.role == 'tool' %}{% else %}{{ 1 if 'good day' in m.content }}{% endif %}",
        "{% if m.role == 'tool' %}{% endif %}{{ 1 if 'good day' in m.content }}",
        "{% if x %}http://b.co{% endif %}", "{{ 'http://b.co' if x }}", "{{ x or 'http://b.co' }}",
        "{% set a = 'http://b.co' %}", "{% macro m() %}http://b.co{% endmacro %}",
        "{% for m in messages %}http://b.co{% endfor %}"}) {
    EXPECT_EQ(Judge(With(code)).Only(kRule).severity, Severity::kWarning) << code;
  }
}

TEST(TemplateHidden, TellsWhoseMessageIsCompared) {
  ExpectFinding(TemplateHiddenWording::kPhraseOfOther,
                "{% if m.role == 'tool' and 'not found' in m.content %}{% endif %}", 39, 2,
                Text("not found"));
}

TEST(TemplateHidden, OtherTemplates) {
  using Says = TemplateHiddenWording;
  ExpectFinding(Says::kOtherTemplate, "{% include 'a.jinja' %}", 3, 7, Text("a.jinja"));
  ExpectFinding(Says::kOtherTemplate, "{% import x as y %}", 3, 6, Text("import"));
  ExpectFinding(Says::kOtherTemplate, "{% extends 'base' %}", 3, 7, Text("base"));
}

}  // namespace
}  // namespace ggufgate::testing
