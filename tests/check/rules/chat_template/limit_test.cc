// template-limit: what costs too much, and the nearest template that is fine.

#include "tests/check/rules/chat_template/judged_template.h"

namespace ggufgate::testing {
namespace {

TEST(TemplateLimit, Size) {
  Policy policy;
  policy.limits.template_bytes = 10;
  const Model model = With(std::string(11, 'x'));
  const Finding finding = Judge(model, policy).Only(RuleId::kTemplateLimit);
  EXPECT_THAT(finding, Tells({PlaceOf(model, 0), 11}, Number(11), Number(10)));
  EXPECT_EQ(WordingOf(finding), TemplateLimitWording::kBytes);
  EXPECT_EQ(TotalOf(Judge(With(std::string(10, 'x')), policy), RuleId::kTemplateLimit), 0U);

  const Model large = With(std::string((1U << 20) + 1, 'x'));
  EXPECT_EQ(Severities(large, RuleId::kTemplateLimit), "error error error");
  EXPECT_THAT(Fired(std::string(1U << 20, 'x')), IsEmpty());
}

TEST(TemplateLimit, SizeOfAllTogether) {
  Policy policy;
  policy.limits.template_bytes = 10;
  Model model;
  model.Set("general.architecture", "llama");
  const auto add = [&](int i, std::size_t bytes) {
    model.Set("tokenizer.chat_template." + std::to_string(i), std::string(bytes, 'x'));
  };
  for (int i = 0; i < 16; ++i) add(i, 10);
  EXPECT_EQ(TotalOf(Judge(model, policy), RuleId::kTemplateLimit), 0U);
  add(16, 10);
  model.Set("tokenizer.chat_template.17", "\xE2\x80\x8B");
  EXPECT_EQ(TotalOf(Judge(model, policy), RuleId::kTemplateHidden), 0U);  // not read
  const Finding finding = Judge(model, policy).Only(RuleId::kTemplateLimit);
  EXPECT_EQ(finding.subject.name, "tokenizer.chat_template.16");
  EXPECT_EQ(finding.observed, Number(170));
  EXPECT_EQ(finding.allowed, Number(160));
  EXPECT_EQ(WordingOf(finding), TemplateLimitWording::kBytesOfAll);
}

// What is nested so deep that it is not looked at is an error whatever the profile.
TEST(TemplateLimit, NestingThatIsNotRead) {
  for (const std::string& text :
       {"{{ " + Times("(", 1001) + "x.__class__" + Times(")", 1001) + " }}",
        Times("{% if x %}", 1002) + "{{ x.__class__ }}" + Times("{% endif %}", 1002)}) {
    for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec}) {
      const Judged judged = Judge(With(text), PolicyFor(profile));
      EXPECT_EQ(TotalOf(judged, RuleId::kTemplateInjection), 0U);
      EXPECT_FALSE(judged.Accepted());
    }
  }
  EXPECT_EQ(
      Severities(With("{{ " + Times("(", 1001) + Times(")", 1001) + " }}"), RuleId::kTemplateLimit),
      "error error error");
}

TEST(TemplateLimit, Nesting) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kNesting, "a{{ " + Times("(", 65) + Times(")", 65) + " }}", 1, 2, Number(65),
                Number(64));
  EXPECT_THAT(Fired("a{{ " + Times("[", 64) + Times("]", 64) + " }}"), IsEmpty());
  ExpectFinding(Says::kNesting, "{{ " + Times("not ", 65) + "x }}", 0, 2, Number(65), Number(64));
  EXPECT_THAT(Fired("{{ " + Times("-", 64) + "x }}"), IsEmpty());
  const std::string deep = Times("{% if x %}", 65) + "{{ x }}" + Times("{% endif %}", 65);
  ExpectFinding(Says::kNesting, deep, 650, 2, Number(65), Number(64));
  EXPECT_THAT(Fired(Times("{% if x %}", 64) + Times("{% endif %}", 64)), IsEmpty());
  EXPECT_THAT(Fired(Times("{% if x %}{% endif %}", 200)), IsEmpty());
  EXPECT_EQ(Severities(With(deep), kRule), "error warning warning");
}

TEST(TemplateLimit, MacrosThatNeverEnd) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kSelfCall, "{% macro f() %}{{ f() }}{% endmacro %}", 19, 1, Text("f"));
  ExpectFinding(Says::kSelfCall,
                "{% macro f() %}{% if true %}{% set x = f() %}{% endif %}{% endmacro %}", 40, 1,
                Text("f"));
  ExpectFinding(Says::kSelfCall, "{% macro f() %}{% if 1 %}{{ f() }}{% endif %}{% endmacro %}", 29,
                1, Text("f"));
  ExpectFinding(Says::kCircle,
                "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}", 57,
                1, Text("f"));
  EXPECT_EQ(Severities(With("{% macro f() %}{{ f() }}{% endmacro %}"), kRule),
            "error warning warning");
}

TEST(TemplateLimit, MacrosThatWalkAreANote) {
  for (const char* code :
       {"{% macro f(s) %}{% if s %}{{ f(s.a) }}{% endif %}{% endmacro %}",
        "{% macro f(s) %}{% for t in s %}{{ f(t) }}{% endfor %}{% endmacro %}",
        "{% macro f(s) %}{{ f(s.a) if s.a }}{% endmacro %}",
        "{% macro f(s) %}{{ s.a and f(s.a) }}{% endmacro %}",
        "{% macro f(s) %}{% if s %}{% else %}{{ f(s) }}{% endif %}{% endmacro %}"}) {
    const Judged judged = Judge(With(code));
    EXPECT_EQ(judged.Only(RuleId::kTemplateLimit).severity, Severity::kNote) << code;
    EXPECT_EQ(WordingOf(judged.Only(RuleId::kTemplateLimit)), TemplateLimitWording::kSelfCallIf)
        << code;
  }
  for (const char* code :
       {"{% macro f() %}{% endmacro %}{{ f() }}{{ f() }}",
        "{% macro f(f) %}{{ f() }}{% endmacro %}{% set f = g %}",
        "{% macro f() %}{{ g() }}{{ g() }}{% endmacro %}{% macro g() %}{% endmacro %}",
        "{% macro f(s) %}{% if s %}{{ g(s) }}{% endif %}{% endmacro %}"
        "{% macro g(s) %}{{ f(s) }}{% endmacro %}",
        "{% macro %}{% endmacro %}{% macro f %}{% endmacro %}{% macro 1() %}{% endmacro %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, Rounds) {
  using Says = TemplateLimitWording;
  const Fact allowed = Number(1'000'000);
  ExpectFinding(Says::kRange, "{{ range(1000001) }}", 8, 1, Number(1'000'001), allowed);
  ExpectFinding(Says::kRange, "{{ range(10**9) }}", 8, 1, Number(1'000'000'000), allowed);
  ExpectFinding(Says::kRange, "{{ range(1e9|int) }}", 8, 1, Number(1'000'000'000), allowed);
  ExpectFinding(Says::kRange, "{{ range('2_000_000'|int) }}", 8, 1, Number(2'000'000), allowed);
  ExpectFinding(Says::kRange, "{{ range(-5, 0xFFFFFF, 2) }}", 8, 1, Number(8'388'610), allowed);
  ExpectFinding(Says::kRange, "{{ range(2000001, 0, -1) }}", 8, 1, Number(2'000'001), allowed);
  ExpectFinding(Says::kRange, "{% set n = 1000 * 1000 * 2 %}{{ range(n) }}", 37, 1,
                Number(2'000'000), allowed);
  ExpectFinding(Says::kRange, "{% set r = range %}{{ r(99999999999999999999) }}", 23, 1,
                Number(INT64_MAX), allowed);
  ExpectFinding(Says::kRange,
                "{% for i in range(2000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}", 29,
                3, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ 'x' * 2000000 }}", 7, 1, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ [0] * 2000000 }}", 7, 1, Number(2'000'000), allowed);
  for (const char* code :
       {"{{ range(1000000) }}", "{{ range(5, 1) }}", "{{ range(1, 5, 0) }}", "{{ range() }}",
        "{{ range(n) }}", "{{ range(messages|length) }}", "{{ 'x' * 1000000 }}{{ '-' * 80 }}",
        "{{ 'x' * -1 }}",
        "{% for i in range(1000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}",
        "{{ 3000000 * 2 }}", "{{ range(10**9 // 10**5) }}", "{{ range(10**9 % 7, 3 - 2) }}",
        "{{ range(5 // 0) }}", "{{ x * 5 }}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, WhatOneExpressionMakes) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  const Fact allowed = Number(1'000'000);
  ExpectFinding(Says::kRepeat, "{{ '%1000001d' % 1 }}", 15, 1, Number(1'000'001), allowed);
  ExpectFinding(Says::kRepeat, "{{ '%-2000000.3f'|format(1) }}", 18, 6, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ '{:>2000000}'.format(1) }}", 17, 6, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x.center(2000000) }}", 5, 6, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|indent(2000000) }}", 5, 6, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|batch(2000000, 1) }}", 5, 5, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ 2 ** 2000000 }}", 5, 2, Number(2'000'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ (9 ** 99) ** n }}", 13, 2, Number(INT64_MAX), allowed);
  const Fact bytes = Number(std::uint64_t{64} << 20);
  const std::string text(100, 'x');
  ExpectFinding(Says::kMade, "{{ range(1000000)|join('" + text + "') }}", 18, 4,
                Number(100'000'000), bytes);
  ExpectFinding(Says::kMade, "{{ '" + text + "' * 1000000 }}", 106, 1, Number(100'000'000), bytes);
  for (const char* code :
       {"{{ '%1000000d' % 1 }}", "{{ '% 99999999'|format(x) }}", "{{ '100% of 99999999' % x }}",
        "{{ '{:>1000000} 99999999'.format(1) }}", "{{ x.center(1000000) }}", "{{ x|indent(4) }}",
        "{{ 2 ** 1000000 }}", "{{ 9 ** 9 ** 9 }}", "{{ range(1000000)|join(', ') }}",
        "{{ x|join('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') }}"}) {
    EXPECT_EQ(TotalOf(Judge(With(code)), kRule), code[5] == ' ' && code[4] == '%' ? 1U : 0U)
        << code;
  }
}

TEST(TemplateLimit, ConstantsThatMultiply) {
  std::string code = "{% set a = 'xxxxxxxxxxxxxxxx' %}";
  for (int i = 0; i < 40; ++i) code += "{% set a = a ~ a %}";
  EXPECT_GT(TotalOf(Judge(With(code)), RuleId::kTemplateLimit), 0U);
  code = "{% macro m0() %}xx{% endmacro %}";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "{{ m" + std::to_string(i - 1) + "() }}";
    code += "{% macro m" + std::to_string(i) + "() %}" + before + before + "{% endmacro %}";
  }
  EXPECT_GT(TotalOf(Judge(With(code + "{{ m39() }}")), RuleId::kTemplateLimit), 0U);
}

// A long text in every branch is copied by nobody.
TEST(TemplateLimit, LongTextsAreNoVerdict) {
  const std::string text = "'" + std::string(20'000, 'x') + "'";
  std::string code;
  for (int i = 0; i < 50; ++i) {
    code += "{% if x" + std::to_string(i) + " %}{% set p = " + text +
            " %}{% else %}{% set q = p ~ '\n' ~ p %}{% endif %}{{ p ~ q }}";
  }
  EXPECT_THAT(Fired(code), IsEmpty());
}

TEST(TemplateLimit, TextsThatDouble) {
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  const auto looped = [](std::string_view body) {
    return "{% set n = namespace(a='x', b='x', c='x', i=1) %}{% for i in range(9) %}" +
           std::string(body) + "{% endfor %}";
  };
  const std::uint64_t begin = looped("").size() - std::string_view("{% endfor %}").size();
  ExpectFinding(TemplateLimitWording::kDoubling, looped("{% set n.a = n.a ~ n.a %}"), begin, 2,
                Text("a"));
  for (const char* body : {
           "{% set n.a = n.a + n.a %}",
           "{% set n.a = n.a * 2 %}",
           "{% set n.a = n.a * m %}",
           "{% set n.a = n.b ~ n.b %}{% set n.b = n.a %}",
           "{% set n.a = n.b ~ n.c %}{% set n.b = n.a %}{% set n.c = n.a %}",
           "{% set n.a = [n.a, n.a]|join %}",
           "{% set n.a = [n.a, n.a] %}",
           "{% set n.a = '%s%s' % (n.a, n.a) %}",
           "{% set n.a = '{0}{0}{1}'.format(n.a, n.a) %}",
           "{% set n.a = n.a|replace('x', 'xx') %}",
           "{% set n.a = n.a|replace('x', n.a ~ 'y') %}",
           "{% set b = n.a %}{% set n.a = b ~ b %}",
           "{% set n.a = n.a|join('xx') %}",
           "{% set n.a = n.a|tojson %}",
           "{% set n.a %}{{ n.a }}{{ n.a }}{% endset %}",
           "{% set n.i = n.i * n.i %}",
           "{% set n.i = n.i ** 2 %}",
           "{% macro d(s) %}{{ s }}{{ s }}{% endmacro %}{% set n.a = d(n.a) %}",
       }) {
    EXPECT_GT(TotalOf(Judge(With(looped(body))), kRule), 0U) << body;
  }
  for (const char* body : {
           "{% set n.a = n.a ~ 'x' ~ m ~ m %}",
           "{% set n.a = n.a ~ n.b %}{% set n.b = n.b ~ 'x' %}",
           "{% set n.a = n.a ~ 'x' if m else n.a ~ 'y' %}",
           "{% set n.a = n.a + [m] %}",
           "{% set n.a = n.a|replace('x', 'y')|trim %}",
           "{% set n.a = n.a|replace('x', 'yy') %}",
           "{% set n.a = n.b ~ n.b %}",
           "{% set n.i = n.i + 1 %}{% set n.a = n.a ~ n.i ~ n.i %}",
           "{% set n.i = n.a|length + n.a|length %}{% set n.a = n.a ~ m[n.i] %}",
           "{% set n.a = n.a[1:] %}",
       }) {
    EXPECT_THAT(Fired(looped(body)), IsEmpty()) << body;
  }
}

TEST(TemplateLimit, LoopsThatAddToTheirOwnList) {
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(TemplateLimitWording::kOwnList, "{% for a in l %}{{ l.append(a) }}{% endfor %}", 21,
                6, Text("l"));
  for (const char* code : {"{% set m = l %}{% for a in l %}{{ m.append(a) }}{% endfor %}",
                           "{% for a in l %}{% for b in c %}{{ l.insert(0, b) }}{% endfor %}"
                           "{% endfor %}",
                           "{% for a in ns.l %}{{ ns.l.extend([a]) }}{% endfor %}"}) {
    EXPECT_EQ(TotalOf(Judge(With(code)), kRule), 1U) << code;
  }
  for (const char* code : {"{% for a in l %}{{ m.append(a) }}{% endfor %}",
                           "{% for a in l %}{% endfor %}{{ l.append(1) }}",
                           "{% for a in l %}{{ l.index(a) }}{% endfor %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, Tokens) {
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(TemplateLimitWording::kTokens, "{{ x" + Times("|a", 8'192) + " }}", 0, 2,
                Number(16'385), Number(16'384));
  EXPECT_EQ(TotalOf(Judge(With("{{ x" + Times("|a", 8'191) + " }}")), kRule), 0U);
  EXPECT_EQ(Severities(With("{{ x" + Times("|a", 8'192) + " }}"), kRule), "error error error");
}

}  // namespace
}  // namespace ggufgate::testing
