// template-limit: expensive templates, and similar harmless ones.

#include "tests/check/rules/chat_template/judged_template.h"
#include "tests/oracles/verdict.h"

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
  EXPECT_THAT(Fired("{#" + std::string((1U << 20) - 4, 'x') + "#}"), IsEmpty());
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

// Code nested deeper than the reader goes is an error in every profile.
TEST(TemplateLimit, NestingThatIsNotRead) {
  for (const std::string& text :
       {"{{ " + Times("(", 1001) + "x['__class__']" + Times(")", 1001) + " }}",
        Times("{% if x %}", 1002) + "{{ x['__class__'] }}" + Times("{% endif %}", 1002)}) {
    for (const Profile profile : kAllProfiles) {
      const Judged judged = Judge(With(text), PolicyFor(profile));
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
  EXPECT_EQ(Severities(With(deep), kRule), "error error error");
}

// A server that uses another profile starts with the template as well.
TEST(TemplateLimit, CrashesAreErrorsInEveryProfile) {
  for (const char* code :
       {"{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
        "{% set l = [] %}{% set x = l.append(l) %}{{ l }}", "{{ 1 is divisibleby(0) }}",
        "{{ range(9223372036854775800, 9223372036854775807)|list }}"}) {
    EXPECT_EQ(Severities(With(code), RuleId::kTemplateLimit), "error error error") << code;
  }
  EXPECT_EQ(Severities(With("{{ 'x' * 1000000000 }}"), RuleId::kTemplateLimit),
            "error warning warning");
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
  // A variable with the same name outside has no effect.
  EXPECT_GT(
      TotalOf(Judge(With("{% macro f() %}{{ f() }}{% endmacro %}{% for f in x %}{% endfor %}")),
              kRule),
      0U);
  EXPECT_EQ(Severities(With("{% macro f() %}{{ f() }}{% endmacro %}"), kRule), "error error error");
}

TEST(TemplateLimit, MacrosThatWalkAreANote) {
  for (const char* code :
       {"{% macro f(s) %}{% if s %}{{ f(s.a) }}{% endif %}{% endmacro %}",
        "{% macro f(s) %}{% for t in s %}{{ f(t) }}{% endfor %}{% endmacro %}",
        "{% macro f(s) %}{{ f(s.a) if s.a }}{% endmacro %}",
        "{% macro f(s) %}{{ '' if not s.a else f(s.a) }}{% endmacro %}",
        "{% macro f(s) %}{% if not s %}{% else %}{{ f(s.a) }}{% endif %}{% endmacro %}",
        "{% macro f(x, s) %}{% set t = s['a'] %}{% if t %}{{ f(x, t) }}{% endif %}{% endmacro %}",
        "{% macro f(s) %}{% if s.a == 'b' and x %}{{ f(s.a or 'c') }}{% endif %}{% endmacro %}",
        "{% macro f(s) %}{% if s|length == 0 %}{% else %}{{ f(s.get('a', {})) }}{% endif %}"
        "{% endmacro %}",
        "{% macro f(s) %}{% if s is mapping or 'a' in s %}{{ f(s.a) }}{% endif %}{% endmacro %}",
        "{% macro f(s, t) %}{% if s %}{{ f(t=t, s=s.a) }}{% endif %}{% endmacro %}"}) {
    const Judged judged = Judge(With(std::string(code) + "{{ f(messages, messages) }}"));
    EXPECT_EQ(judged.Only(RuleId::kTemplateLimit).severity, Severity::kNote) << code;
    EXPECT_EQ(WordingOf(judged.Only(RuleId::kTemplateLimit)), TemplateLimitWording::kSelfCallIf)
        << code;
  }
  for (const char* code :
       {"{% macro f() %}{% endmacro %}{{ f() }}{{ f() }}",
        "{% macro f(f) %}{{ f() }}{% endmacro %}{% set f = g %}",
        "{% macro f() %}{{ g() }}{{ g() }}{% endmacro %}{% macro g() %}{% endmacro %}",
        "{% macro f(s) %}{% if s %}{{ g(s.a) }}{% endif %}{% endmacro %}"
        "{% macro g(s) %}{{ f(s) }}{% endmacro %}",
        "{% macro %}{% endmacro %}{% macro f %}{% endmacro %}{% macro 1() %}{% endmacro %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, MacrosThatHandNothingOn) {
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(TemplateLimitWording::kSelfCallBlind,
                "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}", 30,
                1, Text("f"));
  for (const char* code :
       {"{% macro f() %}{% if x %}{{ f() }}{% endif %}{% endmacro %}",
        "{% macro f(s) %}{% if s %}{{ f(s) }}{% endif %}{% endmacro %}{{ f(messages) }}",
        "{% macro f(s) %}{% if s %}{{ f(m.a) }}{% endif %}{% endmacro %}{{ f(m.a) }}",
        "{% macro f(s) %}{% if s %}{{ f(s ~ 'a') }}{% endif %}{% endmacro %}{{ f('a') }}",
        "{% macro f(n) %}{% if n %}{{ g(n - 1) }}{% endif %}{% endmacro %}"
        "{% macro g(n) %}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro %}"}) {
    EXPECT_EQ(Judge(With(code)).Only(kRule).severity, Severity::kError) << code;
  }
}

// Measured with llama.cpp v0.5.0: each part that is not smaller overflows its stack.
TEST(TemplateLimit, MacrosHandOnASmallerPart) {
  const auto severity = [](const std::string& handed) {
    return Judge(With("{% macro f(s) %}{% if s %}{{ f(" + handed +
                      ") }}{% endif %}{% endmacro %}{{ f(messages) }}"))
        .Only(RuleId::kTemplateLimit)
        .severity;
  };
  for (const char* smaller :
       {"s.a", "s['a']", "s.a[0]", "s.a or s.b", "s.a if x else s.b", "s|first", "s.get('a')"}) {
    EXPECT_EQ(severity(smaller), Severity::kNote) << smaller;
  }
  for (const char* not_smaller : {"s[1:]",
                                  "s[:-1]",
                                  "s[2::3]",
                                  "s[1:] + s[1:]",
                                  "tojson(s.a)",
                                  "s[x]",
                                  "s[0:]",
                                  "s[:]",
                                  "s[-0:]",
                                  "s[-3:]",
                                  "s[:5]",
                                  "s[0:1]",
                                  "s[::2]",
                                  "s[::-1]",
                                  "s[1::-1]",
                                  "s[0]",
                                  "s[-1]",
                                  "s.split('@')[0]",
                                  "[s][0]",
                                  "(s, s)[0]",
                                  "{'a': s}.a",
                                  "dict(a=s).a",
                                  "namespace(a=s).a",
                                  "[s]|first",
                                  "s|items",
                                  "s.a or messages",
                                  "s.a or 'b'",
                                  "s.a|default('b')",
                                  "s.a|string",
                                  "({'a': s}|items|list)[0][1]",
                                  "s.a or s",
                                  "s.a if x else s",
                                  "{'a': s.a}",
                                  "{'a': s.a.b}",
                                  "{'a': s|items}",
                                  "dict(s|items)"}) {
    EXPECT_EQ(severity(not_smaller), Severity::kError) << not_smaller;
  }
  const auto of_loop = [](const std::string& loop) {
    return Judge(With("{% macro f(s) %}" + loop + "{% endfor %}{% endmacro %}{{ f(messages) }}"))
        .Only(RuleId::kTemplateLimit)
        .severity;
  };
  EXPECT_EQ(of_loop("{% for t in s.a %}{{ f({'a': t}) }}"), Severity::kNote);
  EXPECT_EQ(of_loop("{% for t in s.a %}{{ f({'a': [t]}) }}"), Severity::kError);
  EXPECT_EQ(of_loop("{% for t in [s] %}{{ f(t) }}"), Severity::kError);
  EXPECT_EQ(of_loop("{% for k, v in s.items() %}{{ f(v) }}"), Severity::kNote);
  EXPECT_EQ(of_loop("{% for k, v in s.items() %}{{ f({'a': v}) }}"), Severity::kError);
}

// Measured with llama.cpp v0.5.0: each overflows its stack. There, an attribute of an undefined
// value is undefined, and a macro sees the variables of its caller.
TEST(TemplateLimit, MacrosThatDoNotStopWhereNothingIsLeft) {
  const std::string begin = "{% macro f(s) %}";
  const std::string end = "{% endmacro %}{{ f(messages) }}";
  for (const char* body :
       {"{% if messages %}{{ f(s.a) }}{% endif %}", "{% if not s.a %}{{ f(s.a) }}{% endif %}",
        "{% if s %}{% else %}{{ f(s.a) }}{% endif %}", "{% if s or x %}{{ f(s.a) }}{% endif %}",
        "{% if s.a != 'b' %}{{ f(s.a) }}{% endif %}", "{% for i in [1] %}{{ f(s.a) }}{% endfor %}",
        "{% for t in f(s.a) if s %}{% endfor %}", "{% set q = f(s.a), 1 if s else 2 %}",
        "{% for t in s[1:] %}{{ f([s[2:], s[2:], s[2:], s[2:]]) }}{% endfor %}",
        "{% for i in s.b %}{% else %}{{ f(s.a) }}{% endfor %}", "{{ '' if s else f(s.a) }}",
        "{% if s is iterable %}{{ f(s[1:]) }}{% endif %}",
        "{% if s is mapping %}{{ f(s.get('a', {})) }}{% endif %}",
        "{% set s = 'a' %}{% if s %}{{ f(s.a) }}{% endif %}",
        "{% if s.a %}{% set t = s.b %}{% endif %}{% if s %}{{ f(t) }}{% endif %}",
        "{% if s %}{% set ns.t = s.a %}{{ f(ns.t) }}{% endif %}",
        "{% for t in s.a %}{% endfor %}{% if s %}{{ f(t) }}{% endif %}",
        "{% set t = messages %}{% if t %}{{ f(s.a) }}{% endif %}"}) {
    EXPECT_EQ(Judge(With(begin + body + end)).Only(RuleId::kTemplateLimit).severity,
              Severity::kError)
        << body;
  }
  const auto severity = [](const std::string& code) {
    return Judge(With(code)).Only(RuleId::kTemplateLimit).severity;
  };
  const std::string pair = "{% macro f(s, t) %}{% if s %}{{ f(s.a, s) }}{% endif %}";
  EXPECT_EQ(severity(pair + "{% endmacro %}"), Severity::kNote);
  EXPECT_EQ(severity("{% macro f(s, t) %}{% if t %}{{ f(s.a, t) }}{% endif %}{% endmacro %}"),
            Severity::kError);
}

// A macro can be called as an argument of another, or through a variable.
TEST(TemplateLimit, MacrosThatAreCalledAsValues) {
  for (const char* code :
       {"{% macro f(g) %}{{ g(g) }}{% endmacro %}{{ f(f) }}",
        "{% macro f(f) %}{{ f(f) }}{% endmacro %}{{ f(f) }}",
        "{% macro f(s) %}{{ s.m(s) }}{% endmacro %}{{ f({'m': f}) }}",
        "{% macro f(s) %}{{ s[0](s) }}{% endmacro %}{{ f([f]) }}",
        "{% macro f(s) %}{{ (s|first)(s) }}{% endmacro %}{{ f([f]) }}",
        "{% set ns = namespace(m=0) %}{% macro f(s) %}{{ ns.m(s) }}{% endmacro %}"
        "{% set ns.m = f %}{{ f(x) }}"}) {
    EXPECT_EQ(Judge(With(code)).Only(RuleId::kTemplateLimit).severity, Severity::kError) << code;
  }
  // A published template does this outside macros.
  EXPECT_THAT(Fired("{% macro f(s) %}{{ s }}{% endmacro %}{% set l = [f] %}"
                    "{% for i in range(l|length) %}{{ l[i](x) }}{% endfor %}"),
              IsEmpty());
  ExpectFinding(TemplateLimitWording::kSteps,
                "{% macro f(s) %}{% for i in range(999) %}{{ i }}{% endfor %}{% endmacro %}"
                "{% set l = [f] %}{% for i in range(9) %}{{ l[0](x) }}{% endfor %}",
                121, 1, Number(72'807), Number(65'536));
}

TEST(TemplateLimit, Rounds) {
  using Says = TemplateLimitWording;
  const Fact allowed = Number(10'000);
  ExpectFinding(Says::kRange, "{{ range(10001) }}", 8, 1, Number(10'001), allowed);
  ExpectFinding(Says::kRange, "{{ range(10**9) }}", 8, 1, Number(1'000'000'000), allowed);
  ExpectFinding(Says::kRange, "{{ range(1e9|int) }}", 8, 1, Number(1'000'000'000), allowed);
  ExpectFinding(Says::kRange, "{{ range('20_000'|int) }}", 8, 1, Number(20'000), allowed);
  ExpectFinding(Says::kRange, "{{ range(-5, 0xFFFFFF, 2) }}", 8, 1, Number(8'388'610), allowed);
  ExpectFinding(Says::kRange, "{{ range(20001, 0, -1) }}", 8, 1, Number(20'001), allowed);
  ExpectFinding(Says::kRange, "{{ range(x, 20000) }}", 8, 1, Number(20'000), allowed);
  ExpectFinding(Says::kRange, "{% set n = 1000 * 20 %}{{ range(n) }}", 31, 1, Number(20'000),
                allowed);
  for (const char* code :
       {"{{ range(10000) }}", "{{ range(5, 1) }}", "{{ range(1, 5, 0) }}", "{{ range() }}",
        "{{ range(n) }}", "{{ range(messages|length) }}", "{{ range(x - 1, -1, -1) }}",
        "{{ 'x' * 100000 }}{{ '-' * 80 }}", "{{ 'x' * -1 }}",
        "{% for i in range(100) %}{% for j in range(100) %}{% endfor %}{% endfor %}",
        "{{ 3000000 * 2 }}", "{{ range(10**9 // 10**5) }}", "{{ range(10**9 % 7, 3 - 2) }}",
        "{{ x * 5 }}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, LoopsInLoops) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kRange,
                "{% for i in range(200) %}{% for j in range(100) %}{% endfor %}{% endfor %}", 28, 3,
                Number(20'000), Number(10'000));
  const auto nested = [](std::string_view loop, std::size_t depth) {
    return Times(loop, depth) + "x" + Times("{% endfor %}", depth);
  };
  for (const char* loop :
       {"{% for i in [1, 2, 3, 4, 5, 6, 7, 8] %}", "{% for i in (m, m, m, m) %}",
        "{% for i in 'abcdefgh' %}", "{% for i in 'abcdefgh'|list %}",
        "{% for i in {'a': 1, 'b': 2, 'c': 3} %}", "{% for i in 'a b c d'.split(' ') %}"}) {
    EXPECT_GT(TotalOf(Judge(With(nested(loop, 12))), kRule), 0U) << loop;
    EXPECT_THAT(Fired(nested(loop, 3)), IsEmpty()) << loop;
  }
  // Published templates have three levels.
  EXPECT_THAT(Fired(nested("{% for i in messages %}", 6)), IsEmpty());
  EXPECT_GT(TotalOf(Judge(With(nested("{% for i in messages %}", 8))), kRule), 0U);
}

// The steps of macros and call blocks are added for each call.
TEST(TemplateLimit, StepsOfAll) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kSteps,
                "{% macro m() %}{% for i in range(99) %}{{ x }}{% endfor %}{% endmacro %}"
                "{% for i in range(99) %}{{ m() }}{% endfor %}",
                100, 1, Number(80'795), Number(65'536));
  const std::string caller =
      "{% macro m() %}{% for i in range(99) %}{{ caller() }}{% endfor %}{% endmacro %}";
  const auto blocks = [](std::size_t depth) {
    return Times("{% call m() %}", depth) + "x" + Times("{% endcall %}", depth);
  };
  EXPECT_GT(TotalOf(Judge(With(caller + blocks(3))), kRule), 0U);
  EXPECT_THAT(Fired(caller + blocks(1)), IsEmpty());
  // A loop that appends to a text copies it in each round.
  const auto adding = [](const char* rounds) {
    return std::string("{% set n = namespace(t='') %}{% for i in range(") + rounds +
           ") %}{% set n.t = n.t ~ i %}{% endfor %}";
  };
  EXPECT_GT(TotalOf(Judge(With(adding("9000"))), kRule), 0U);
  EXPECT_THAT(Fired(adding("300")), IsEmpty());
}

TEST(TemplateLimit, WhatOneExpressionMakes) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  const Fact allowed = Number(100'000);
  ExpectFinding(Says::kRepeat, "{{ 'x' * 200000 }}", 7, 1, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ [0] * 200000 }}", 7, 1, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ '%100001d' % 1 }}", 14, 1, Number(100'001), allowed);
  ExpectFinding(Says::kRepeat, "{{ '%(a)100001d' % x }}", 17, 1, Number(100'001), allowed);
  ExpectFinding(Says::kRepeat, "{{ '%-200000.3f'|format(1) }}", 17, 6, Number(200'003), allowed);
  ExpectFinding(Says::kRepeat, "{{ '{:>200000}'.format(1) }}", 16, 6, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x.center(200000) }}", 5, 6, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|indent(200000) }}", 5, 6, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|tojson(indent=200000) }}", 5, 6, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|round(-200000) }}", 5, 5, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|map('center', 200000) }}", 5, 3, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ x|batch(200000, 1) }}", 5, 5, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ 2 ** 200000 }}", 5, 2, Number(200'000), allowed);
  ExpectFinding(Says::kRepeat, "{{ (9 ** 99) ** n }}", 13, 2, Number(INT64_MAX), allowed);
  EXPECT_GT(TotalOf(Judge(With("{{ 'x' * (('9' ~ y)|int) }}")), kRule), 0U);
  ExpectFinding(Says::kComputedWidth, "{{ '%*d' % x }}", 9, 1, Text("*"));
  ExpectFinding(Says::kComputedWidth, "{{ '{:{}}'.format(1, 2) }}", 11, 6, Text("{}"));
  const Fact bytes = Number(std::uint64_t{16} << 20);
  const std::string text(2'000, 'x');
  ExpectFinding(Says::kMade, "{{ range(10000)|join('" + text + "') }}", 16, 4, Number(20'040'000),
                bytes);
  for (const char* code :
       {"{{ '%100000d' % 1 }}", "{{ '% 99999999'|format(x) }}", "{{ '100% of 99999999' % x }}",
        "{{ '{:>100000} 99999999'.format(1) }}", "{{ '{{:{}}}'.format(1) }}",
        "{{ x.center(100000) }}", "{{ x|indent(4) }}", "{{ x|tojson(indent=4) }}",
        "{{ x|round(2) }}", "{{ 2 ** 100000 }}", "{{ range(10000)|join(', ') }}",
        "{{ 'x' * (y|int) }}", "{{ x|join('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') }}"}) {
    EXPECT_EQ(TotalOf(Judge(With(code)), kRule), code[5] == ' ' && code[4] == '%' ? 1U : 0U)
        << code;
  }
}

// Jinja2 tries to evaluate nested operators at compile time, again and again.
TEST(TemplateLimit, Folding) {
  using Says = TemplateLimitWording;
  // 1 + 4 + 9 + ... + 114 * 114, and 1 for each of the other numbers.
  ExpectFinding(Says::kFolding, "{{ 1" + Times("+1", 113) + " }}", 0, 2, Number(500'478),
                Number(500'000));
  EXPECT_THAT(Fired("{{ 1" + Times("+1", 112) + " }}"), IsEmpty());
  // Many short expressions cost as much as a long one.
  const std::string filters = "{{ a" + Times("|trim", 99) + " }}";
  EXPECT_THAT(Fired(filters), IsEmpty());
  ExpectFinding(Says::kFolding, Times(filters, 2), filters.size(), 2, Number(676'700),
                Number(500'000));
  for (const char* link : {" and a", " or a", " < 1", " * 2", ".b", "[0]", "|d", " is defined",
                           " if a else b", " in a", " == a", " // 2"}) {
    EXPECT_GT(TotalOf(Judge(With("{{ a" + Times(link, 200) + " }}")), RuleId::kTemplateLimit), 0U)
        << link;
  }
}

// llama.cpp stores the code as a tree, and walks it recursively.
TEST(TemplateLimit, Chains) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kChain, "{{ 1" + Times("+1", 1'000) + " }}", 0, 2, Number(1'001),
                Number(1'000));
  ExpectFinding(Says::kChain, "{% if a %}" + Times("{% elif b %}", 999) + "{{ c }}{% endif %}",
                10 + 998 * 12, 2, Number(1'001), Number(1'000));
  EXPECT_THAT(Fired("{% if a %}" + Times("{% elif b %}", 998) + "{{ c }}{% endif %}"), IsEmpty());
  for (const char* link : {" ~ a", " and a", " or a", " < 1", " * 2", ".b", "[0]", "|d", "()",
                           " is defined", " if a else b", " in a", " == a", " // 2"}) {
    EXPECT_GT(TotalOf(Judge(With("{{ a" + Times(link, 1'000) + " }}")), kRule), 0U) << link;
  }
  // Brackets within chains within brackets, and macros that call macros, are all in one tree.
  EXPECT_GT(
      TotalOf(Judge(With("{{ " + Times("(", 50) + "1" + Times(Times("+1", 30) + ")", 50) + " }}")),
              kRule),
      0U);
  const auto macros = [](int count) {
    std::string code;
    for (int i = 0; i < count; ++i) {
      code += "{% macro m" + std::to_string(i) + "() %}{{ m" + std::to_string(i + 1) +
              "() }}{% endmacro %}";
    }
    return code;
  };
  EXPECT_GT(TotalOf(Judge(With(macros(600))), kRule), 0U);
  EXPECT_THAT(Fired(macros(100)), IsEmpty());
  EXPECT_GT(TotalOf(Judge(With(Times("{% set a = [a] %}", 1'001))), kRule), 0U);
}

TEST(TemplateLimit, ContainersInThemselves) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kOwnHeld, "{% set a = [] %}{% set x = a.append(a) %}", 29, 6, Text("a"));
  ExpectFinding(Says::kOwnHeld, "{% set n = namespace() %}{% set n.x = n %}", 32, 1, Text("n"));
  for (const char* code :
       {"{% set a = [] %}{{ a.append([a]) }}", "{% set a = {} %}{{ a.update({'k': a}) }}",
        "{% set a = [] %}{% set b = a %}{{ b.append(a) }}",
        "{% set a = [[]] %}{{ a[0].append(a) }}",
        "{% set a = [[]] %}{% set b = a[0] %}{{ b.append(a) }}",
        "{% set n = namespace() %}{% set m = namespace(k=n) %}{% set n.x = m %}",
        "{% macro p(l, x) %}{{ l.append(x) }}{% endmacro %}{% set a = [] %}{{ p(a, a) }}",
        "{% set n = namespace(a=[]) %}{% for m in x %}{% set n.a = [n.a] %}{% endfor %}"}) {
    EXPECT_EQ(TotalOf(Judge(With(code)), kRule), 1U) << code;
  }
  // In a circle, all are reported.
  EXPECT_EQ(
      TotalOf(Judge(With("{% set a = [] %}{% set b = [] %}{{ a.append(b) }}{{ b.append(a) }}")),
              kRule),
      2U);
  for (const char* code :
       {"{% set a = [] %}{{ a.append(b) }}", "{% set a = [x] %}{{ a.append(x) }}",
        "{% set a = [{'t': 'x'}] %}{{ a.append(a[-1]) }}",
        "{% set a = [] %}{% set b = [a] %}{{ b.append(a) }}",
        "{% set n = namespace(l=[]) %}{% for m in x %}{% set n.l = n.l + [m] %}{% endfor %}",
        "{% set n = namespace(l=[]) %}{% for m in x %}{{ n.l.append({'t': m.t}) }}{% endfor %}",
        "{% set n = namespace(k=1) %}{% set m = namespace() %}{% set m.x = n %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, Divisors) {
  using Says = TemplateLimitWording;
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(Says::kDivisor, "{{ x is divisibleby(0) }}", 8, 11, Text("0"));
  ExpectFinding(Says::kDivisor, "{{ x is divisibleby(y) }}", 8, 11, Text("not known"));
  ExpectFinding(Says::kDivisor, "{{ x is divisibleby(-1) }}", 8, 11, Text("not written in digits"));
  ExpectFinding(Says::kDivisor, "{{ x is divisibleby(0x10) }}", 8, 11,
                Text("not written in digits"));
  ExpectFinding(Says::kDivisor, "{{ x is divisibleby('1_0'|int - 1) }}", 8, 11,
                Text("not written in digits"));
  ExpectFinding(Says::kDivisor, "{{ 5 % 0 }}", 5, 1, Text("0"));
  for (const char* code :
       {"{{ x is divisibleby 0 }}", "{{ x is not divisibleby(num=0) }}",
        "{{ x|select('divisibleby', 0) }}", "{{ x|rejectattr('n', 'divisibleby', 0) }}",
        "{{ x.select('divisibleby', 0) }}", "{% set t = 'divisibleby' %}{{ x|reject(t, 0) }}",
        "{{ test_is_divisibleby(x, 0) }}", "{{ 5 // 0 }}", "{{ x / 0 }}",
        "{% set z = 1 - 1 %}{{ 5 % z }}", "{{ range(5 // 0) }}"}) {
    EXPECT_GT(TotalOf(Judge(With(code)), kRule), 0U) << code;
  }
  for (const char* code :
       {"{{ x is divisibleby(2) }}", "{{ x is divisibleby 3 }}", "{{ x|select('divisibleby', 2) }}",
        "{{ x|selectattr('role', 'equalto', 'user') }}", "{{ x|selectattr('n', 'gt', 0) }}",
        "{{ '%d' % 0 }}", "{{ x % y }}", "{{ 5 % 2 }}{{ 5 // 3 }}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, NumbersThatEnginesDoNotCountTo) {
  using Says = TemplateLimitWording;
  const Fact allowed = Number(std::uint64_t{1} << 53);
  ExpectFinding(Says::kFar, "{{ range(9223372036854775800, 9223372036854775807, 10) }}", 8, 1,
                Number(INT64_MAX), allowed);
  ExpectFinding(Says::kFar, "{{ x[::-9223372036854775807 - 1] }}", 4, 1, Number(INT64_MAX),
                allowed);
  EXPECT_THAT(Fired("{{ range(9007199254740991, 9007199254740992) }}{{ x[::-1] }}"), IsEmpty());
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

// A long text in every branch is never copied.
TEST(TemplateLimit, LongTextsAreNoVerdict) {
  const std::string text = "'" + std::string(20'000, 'x') + "'";
  std::string code;
  for (int i = 0; i < 50; ++i) {
    code += "{% if x" + std::to_string(i) + " %}{% set p = " + text +
            " %}{% else %}{% set q = p ~ '\n' ~ p %}{% endif %}{{ (p ~ q)|length }}";
  }
  EXPECT_THAT(Fired(code), IsEmpty());
}

// llama.cpp compares the output of a template, which takes time quadratic in its size.
TEST(TemplateLimit, WhatATemplateWrites) {
  const auto twice = [](const std::string& times) {
    return "{{ 'aaaaaaaaaaa' * " + times + " }}{{ 'aaaaaaaaaaa' * " + times + " }}";
  };
  EXPECT_THAT(Fired(twice("20000")), IsEmpty());
  const Model model = With(twice("25000"));
  const Finding finding = Judge(model).Only(RuleId::kTemplateLimit);
  EXPECT_EQ(WordingOf(finding), TemplateLimitWording::kOutput);
  EXPECT_EQ(finding.observed, Number(550'000));
  EXPECT_EQ(finding.allowed, Number(524'288));
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
           "{% set n.i = n.i + n.i %}",
           "{% set n.i = n.i * 3 %}",
           "{% set n.a = n.a.replace('x', 'xx') %}",
           "{% set n.a = n.a|replace('x', 'yy')|replace('y', 'xx') %}",
           "{% set n.a = n.a|replace('x', 'yy') %}{% set n.a = n.a|replace('y', 'z z') %}",
           "{% set n.a = n.a|replace('', 'y') %}",
           "{% set n.a = n.a.join(['a', 'b', 'c']) %}",
           "{% set n.a = n.a.translate({120: 'xx'}) %}",
           "{% set n.a = n.a|wordwrap(1, true, 'xx') %}",
           "{% set n.a = n.a|pprint %}",
           "{% set n.a = '' ~ [n.a] %}",
           "{% set n.a = '{0}{0}'.format(n.a) %}",
           "{% set n.a = '%(a)s%(a)s' % {'a': n.a} %}",
           "{{ n.a.extend(n.a) }}",
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
           "{% set n.a = n.a.replace('xx', 'y').strip().split('y')[0] %}",
           "{% set n.a = n.a|replace(bos_token, '') %}",
           "{% set n.a = n.a|wordwrap(9)|indent(2) %}",
           "{% set n.a = [n.a, m]|join %}",
           "{% set n.a = '%s%s'|format(n.a, m) %}",
           "{{ n.a.extend([m]) }}",
           "{% set n.a = n.b ~ n.b %}",
           "{% set n.i = n.i + 1 %}{% set n.a = n.a ~ n.i ~ n.i %}",
           "{% set n.i = n.a|length + n.a|length %}{% set n.a = n.a ~ m[n.i] %}",
           "{% set n.a = n.a[1:] %}",
       }) {
    EXPECT_THAT(Fired(looped(body)), IsEmpty()) << body;
  }
}

TEST(TemplateLimit, CountersInADictionary) {
  const auto counting = [](std::string_view more) {
    return "{% set n = {'a': 0} %}{% for m in messages %}"
           "{% set _ = n.update({m.type: n[m.type] + " +
           std::string(more) + "}) %}{% endfor %}{{ n.a }}";
  };
  EXPECT_THAT(Fired(counting("1")), IsEmpty());
  EXPECT_GT(TotalOf(Judge(With(counting("n[m.type]"))), RuleId::kTemplateLimit), 0U);
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

TEST(TemplateLimit, ListsThatAreTakenApartAndPopped) {
  ExpectFinding(TemplateLimitWording::kPopped, "{% for a, b in l %}{{ m.pop() }}{% endfor %}", 3, 3,
                Text("pop"));
  for (const char* code :
       {"{% for a in l %}{{ m.pop() }}{% endfor %}", "{% for a, b in l %}{{ a }}{% endfor %}"}) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

TEST(TemplateLimit, Tokens) {
  constexpr RuleId kRule = RuleId::kTemplateLimit;
  ExpectFinding(TemplateLimitWording::kTokens, "{{ [" + Times("a,", 8'192) + "] }}", 0, 2,
                Number(16'385), Number(16'384));
  EXPECT_EQ(TotalOf(Judge(With("{{ [" + Times("a,", 8'191) + "] }}")), kRule), 0U);
  EXPECT_EQ(Severities(With("{{ [" + Times("a,", 8'192) + "] }}"), kRule), "error error error");
}

}  // namespace
}  // namespace ggufgate::testing
