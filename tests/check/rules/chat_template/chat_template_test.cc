// Rules about chat templates: what fires, where, how severe, and the nearest template that is fine.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

Model With(std::string_view text) {
  Model model;
  model.Set("general.architecture", "llama").Set(kTemplateKey, text);
  return model;
}

// Where a place of the template stands in the file.
std::uint64_t PlaceOf(const Model& model, std::uint64_t at) { return ValueAt(model, 1) + 8 + at; }

std::vector<std::string> Fired(std::string_view text) {
  std::vector<std::string> rules;
  for (const std::string& rule : Judge(With(text)).Rules()) {
    if (rule.starts_with("template-")) rules.push_back(rule);
  }
  return rules;
}

std::string Times(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// ExpectFinding expects one finding of a rule on the template, in these words.
void ExpectFinding(Wording wording, std::string_view text, std::uint64_t at, std::uint64_t size,
                   const Fact& observed, const Fact& allowed = {}) {
  SCOPED_TRACE(text.substr(0, 100));
  const Model model = With(text);
  const std::vector<Finding> findings = FindingsOf(Judge(model), wording.rule);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0], Tells({PlaceOf(model, at), size}, observed, allowed));
  EXPECT_EQ(WordingOf(findings[0]), wording);
  EXPECT_EQ(Describe(findings[0].subject), "metadata 1 \"tokenizer.chat_template\"");
}

TEST(TemplateType, IsAString) {
  Model model;
  model.Set("general.architecture", "llama").Set(kTemplateKey, std::uint32_t{1});
  EXPECT_THAT(FindingsOf(Judge(model), RuleId::kTemplateType), SizeIs(1));
  EXPECT_THAT(Judge(model).Only(RuleId::kTemplateType),
              Tells({TypeAt(model, 1), 4}, Text("u32"), Text("string")));
  EXPECT_EQ(Severities(model, RuleId::kTemplateType), "error warning error");
  EXPECT_THAT(Fired("text"), IsEmpty());
}

TEST(TemplateType, NamedTemplatesHaveKeysOfTheirOwn) {
  const auto fires = [](std::string_view key) {
    Model model;
    model.Set("general.architecture", "llama").Set(key, std::vector<std::string>{"a"});
    return TotalOf(Judge(model), RuleId::kTemplateType);
  };
  EXPECT_EQ(fires("tokenizer.chat_template.tool_use"), 1U);
  EXPECT_EQ(fires("tokenizer.chat_template."), 1U);
  EXPECT_EQ(fires("tokenizer.chat_templates"), 0U);
  EXPECT_EQ(fires("tokenizer.chat_template_"), 0U);
  EXPECT_EQ(fires("tokenizer.chat"), 0U);
}

TEST(TemplateSyntax, CodeIsClosed) {
  using Says = TemplateSyntaxWording;
  constexpr RuleId kRule = RuleId::kTemplateSyntax;
  ExpectFinding(Says::kUnclosed, "a{{ b", 1, 2, Text("{{"));
  ExpectFinding(Says::kUnclosed, "a{% if b", 1, 2, Text("{%"));
  ExpectFinding(Says::kUnclosed, "a{# b", 1, 2, Text("{#"));
  ExpectFinding(Says::kUnclosed, "a{% raw %}{{ b }}", 1, 2, Text("{%"));
  ExpectFinding(Says::kUnclosed, "a{{ 'b }}", 1, 2, Text("{{"));
  ExpectFinding(Says::kBracket, "a{{ (b }}", 6 + 1, 1, Text("}"));
  ExpectFinding(Says::kBracket, "{{ b) }}", 4, 1, Text(")"));
  ExpectFinding(Says::kBracket, "{{ {]} }}", 4, 1, Text("]"));
  EXPECT_EQ(Severities(With("{{"), kRule), "error warning warning");
  for (const char* sound : {"{", "{ {", "}}", "%}", "#}", "{{ '}}' }}", "{# {{ #}", "{{ {'a':{}}}}",
                            "{% raw %}{{{% endraw %}", "{{ \"'\" }}'"}) {
    EXPECT_THAT(Fired(sound), IsEmpty()) << sound;
  }
}

// A tag, or the template in it, may end behind any token, and whatever reads it must not look
// further.
TEST(TemplateSyntax, EndsAnywhere) {
  constexpr std::string_view kOutput =
      "{{ not -a.b['c'][1:2:3].d(e, f=g, *h)|i.j(k)|map(attribute='l') is not eq('m') is in ['n', {"
      "'o': 1.5}] if p ~ 'q' 'r' % (s, t) else range(1, 2, 3) ** u.format('{0[v]}', w=x) }}";
  constexpr std::string_view kStatements[] = {
      "{% for a, b in c.items() if d is defined recursive %}",
      "{% set ns.a | replace('b', c) %}",
      "{% set a, b = [1, 2], namespace(c='d') %}",
      "{% macro a(b, c=('d', e)) %}",
      "{% call(a) b(c, d=e) %}",
      "{% with a = b, c = d %}",
      "{% filter a|b('c') %}",
      "{% from 'a' import b as c %}",
      "{% if a is eq('b') and c is in ['d'] %}"};
  const auto cut_anywhere = [](std::string_view tag) {
    for (std::size_t size = 2; size < tag.size(); ++size) {
      for (const std::string_view end : {tag.substr(tag.size() - 2), std::string_view()}) {
        const std::string text = std::string(tag.substr(0, size)) + std::string(end);
        for (const std::string& rule : Judge(With(text)).Rules(Severity::kError)) {
          EXPECT_TRUE(rule.starts_with("template-")) << rule << ": " << text;
        }
      }
    }
  };
  cut_anywhere(kOutput);
  for (const std::string_view statement : kStatements) cut_anywhere(statement);
}

TEST(TemplateSyntax, IsNotAskedOfAFileThatWasMisread) {
  Model model = With("{{");
  model.metadata.push_back({.key = "k", .type = 13, .payload = {0}});
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTemplateSyntax), 0U);
}

TEST(TemplateInjection, NamesThePlaceAndTheName) {
  using Says = TemplateInjectionWording;
  constexpr RuleId kRule = RuleId::kTemplateInjection;
  ExpectFinding(Says::kInternalName, "text {{ ''.__class__ }}", 11, 9, Text("__class__"));
  ExpectFinding(Says::kInternalName, "{{ x['__class__'] }}", 4, 1, Text("__class__"));
  ExpectFinding(Says::kAssembledName, "{{ x['__cl' ~ 'ass__'] }}", 12, 1, Text("__class__"));
  ExpectFinding(Says::kAssembledName, "{{ '\\x5f_class__' }}", 3, 14, Text("__class__"));
  ExpectFinding(Says::kAttrFilter, "{{ x|attr('name') }}", 5, 4, Text("attr"));
  ExpectFinding(Says::kAttrFilter, "{{ x|attr('__class__') }}", 5, 4, Text("__class__"));
  ExpectFinding(Says::kHelper, "{{ lipsum() }}", 3, 6, Text("lipsum"));
  ExpectFinding(Says::kFormatString, "{{ '{0.mro}'.format(x) }}", 13, 6, Text("mro"));
  ExpectFinding(Says::kComputedName, "{{ x['__' ~ y] }}", 4, 1, Text("~"));
  ExpectFinding(Says::kComputedName, "{{ x|map(attribute=['a', y]|join) }}", 5, 3, Text("join"));
  ExpectFinding(Says::kComputedPattern, "{{ (y ~ '}').format(x) }}", 13, 6, Text("~"));
  EXPECT_EQ(Severities(With("{{ x.__class__ }}"), kRule), "error warning warning");
}

TEST(TemplateInjection, LooksIntoNamedTemplates) {
  Model model;
  model.Set("general.architecture", "llama")
      .Set("tokenizer.chat_template.rag", "{{ x.__class__ }}");
  EXPECT_EQ(Judge(model).Only(RuleId::kTemplateInjection).subject.name,
            "tokenizer.chat_template.rag");
}

TEST(TemplateInjection, SeesThrough) {
  for (const char* code : {
           "{{ x['__' + 'class' + '__'] }}",
           "{{ x['a__class__'|replace('a', '')] }}",
           "{{ x['__%s__'|format('class')] }}",
           "{{ x['__%(n)s__' % {'n': 1}] }}",
           "{{ x['{a}{b}'.format(a='__cla', b='ss__')] }}",
           "{{ x['{1}{0}'.format('ss__', '__cla')] }}",
           "{{ x[('_' * 2) ~ 'class__'] }}",
           "{{ x[(2 * '_') ~ 'class__'] }}",
           "{{ x[['a', '__class__'][-1]] }}",
           "{{ x[['a', '__class__']|last] }}",
           "{{ x[['__class__', 'b']|random] }}",
           "{{ x[['s__', '__clas']|reverse|join] }}",
           "{{ x[['s__', '__clas']|sort|join('')] }}",
           "{{ x['__class__'|list|join] }}",
           "{{ x['_'|join('ab') ~ '_class__'] }}{{ x.__a }}",
           "{{ x[{'__class__': 1}|first] }}",
           "{{ x[{'k': '__class__'}.values()|first] }}",
           "{{ x['__class__'|string|safe|e] }}",
           "{{ x['__class__'|default('')] }}",
           "{{ x['__class__!'|truncate(9, true, '')] }}",
           "{{ x['__<b>class__'|striptags] }}",
           "{{ x['%5F'.encode().decode('x')] }}",
           "{{ x['__Class__'.title().lower()] }}",
           "{{ x['xx'.replace(y, '__')] }}",
           "{{ x._A__b }}",
           "{{ x._a }}",
           "{{ x['_'] }}",
           "{{ x['__class__ '.rstrip()] }}",
           "{{ x[' __class__'.lstrip()] }}",
           "{{ x['__class__'|first ~ '_class__'] }}",
           "{{ x[namespace(n='__class__').n] }}",
           "{% set ns.x %}__class__{% endset %}{{ y[ns.x] }}",
           "{% set m = {'a': ['__class__']} %}{{ x[m.a[0]] }}",
           "{% set a = b = 1 %}{{ x.__class__ }}",
           "{% for a, b in [['__class__', 1]] %}{{ x[a] }}{% endfor %}",
           "{% macro m(n='__class__') %}{{ x[n] }}{% endmacro %}",
           "{% macro m(n) %}{{ x[n] }}{% endmacro %}{{ m(n='__class__') }}",
           "{% macro m() %}{{ x[caller()] }}{% endmacro %}{% call m() %}__class__{% endcall %}",
           "{% macro m() %}{% if y %}__class__{% else %}a{% endif %}{% endmacro %}{{ x[m()] }}",
           "{% set f = dict %}{{ x[f(__class__=1)|list|first] }}",
           "{% for i in [1, 2] %}{{ x[n] }}{% set n = '__class__' %}{% endfor %}",
           "{% if true %}{% set n = '__class__' %}{% else %}{% set n = 'a' %}{% endif %}{{ x[n] }}",
           "{{ (x or y).__class__ }}",
           "{{ x[y and '__class__'] }}",
           "{{ f(a, *b, **c.__class__) }}",
           "{{ [1, 2, x.__class__] }}",
           "{{ {'a': x.__class__} }}",
           "{{ x[1:y.__class__] }}",
           "{{ x is eq(y.__class__) }}",
           "{{ x is divisibleby y.__class__ }}",
           "{{ 1 if x.__class__ else 2 }}",
           "{{ -x.__class__ + not y }}",
           "{% elif x.__class__ %}",
           "{% include x.__class__ %}",
           "{% unknown x.__class__ %}",
           "{{ x|map('groupby', '__class__') }}",
           "{{ x|max(attribute='__len__') }}",
           "{{ x|unique(true, 'a.__class__') }}",
           "{{ x|join(',', '__class__') }}",
           "{{ x|select('eq', attribute='__a__') }}",
           "{{ x|my.filter(y.__class__) }}",
           "{{ __import__('os') }}",
           "{{ x.y.popen('a') }}",
           "{{ cycler.next }}",
           "{{ x.f_globals }}",
           "{{ x[y ~ 'lass__'] }}",
           "{{ cycler('__class__').next() ~ x[cycler('__class__').next()] }}",
           "{{ x.__class__",
           "{{ ( x.__class__ }}",
           "{% from x.__class__ import y %}",
           "{% if True %}{% set n = '__class__' %}{% endif %}{{ x[n] }}",
           "{% set l = [] %}{% set _ = l.extend(['__class__']) %}{{ x[l[0]] }}",
           "{{ x|select('equalto', y.__class__) }}",
           "{{ x is equalto y.__class__ }}",
       }) {
    EXPECT_GT(TotalOf(Judge(With(code)), RuleId::kTemplateInjection), 0U) << code;
  }
}

TEST(TemplateInjection, LeavesTheHonestAlone) {
  for (const char* code : {
           "x.__class__ and x|attr('y')",
           "{{ '__class__' }}",
           "{{ x == '__class__' or '__init__' in x }}",
           "{{ x|replace('__class__', '') }}{{ x.replace('__class__', '') }}",
           "{{ '__' ~ x ~ '__' }}{{ '__' }}{{ '_' * 40 }}",
           "{{ x['a__b'] }}{{ x.a__b }}{{ x['a__' ~ 'b'] }}{{ x.a_ }}{% set _a = 1 %}{{ _a }}",
           "{{ x[loop.index0 + 1] }}{{ x[-1] }}{{ x[i] }}{{ x[y.z] }}{{ x[x|length - 1] }}",
           "{{ x[y|lower|trim] }}{{ x[y.split('a')[0]] }}{{ x[y or 'a'] }}{{ x['A'|lower] }}",
           "{% for k, v in {'a': 1}.items() %}{{ x[k] }}{% endfor %}",
           "{% set ns = namespace(i=0, s='') %}{% set ns.i = ns.i + 1 %}{% set ns.s = ns.s ~ y %}"
           "{{ x[ns.i] }}",
           "{% macro f(k, s) %}{{ x[k] }}{% endmacro %}{{ f(y.z, 'a' ~ y) }}",
           "{{ x[strftime_now('%d')] }}{{ y ~ z }}{{ (y ~ z)[0] }}",
           "{{ joiner(', ')() }}{{ cycler('a', 'b').next() }}{{ namespace(a=1).a }}",
           "{% set cycler = 1 %}{{ cycler }}",
           "{{ x|map(attribute='a.b')|list }}{{ x|map('upper') }}{{ x|sum(attribute='n') }}",
           "{{ x|selectattr('name', 'equalto', '__init__')|list }}",
           "{{ x|join('__init__') }}{{ x|sort(true, false) }}",
           "{{ '{0.name}{{0.__class__}}'.format(x) }}{{ x.format('{0.__class__}') }}",
           "{{ ['__init__']|join(', ') }}{{ '__init__'|trim }}{{ '%s' % '__init__' }}",
           "{{ x.get('__init__') }}",
           "{{ '\\x5f' }}{{ '\\x5fclass' }}{{ '\\n__init__\\n' }}",
           "{% raw %}{{ x.__class__ }}{% endraw %}{# {{ x.__class__ }} #}",
           "{{ 1.5 }}{{ x.0 }}{{ x[0] }}{{ x.0.1 }}",
           "{{ }}{% %}{{ | }}{{ . }}{{ x. }}{{ x| }}{{ x is }}{{ () }}{{ [] }}{{ {} }}",
       }) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

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

// What cannot be told is no finding, as long as it is no name.
TEST(TemplateInjection, NamesThatAreNotFollowed) {
  for (const char* code : {
           "{{ x[a ~ b] }}",
           "{{ x[a + b] }}",
           "{{ x['a' * n] }}",
           "{{ x['%s' % a] }}",
           "{{ x['%d' % 1] }}",
           "{{ x[a|replace('b', 'c')] }}",
           "{{ x[a|unheard_of] }}",
           "{{ x[a.center(3)] }}",
           "{{ x[f(a)] }}",
           "{{ x['abc'|urlencode] }}",
           "{{ x['a,b'.split(',')[0]] }}",
           "{{ x['abcdefg'[n:]] }}",
           "{{ x[bos_token] }}",
           "{{ x[self.b()] }}",
           "{{ x[raise_exception|string] }}",
           "{{ x[(1|string) ~ 'a'] }}",
           "{% set a %}b{{ c }}{% endset %}{{ x[a] }}",
           "{% set a %}{% for i in n %}b{% endfor %}{% endset %}{{ x[a] }}",
           "{% set a | upper %}b{% endset %}{{ x[a] }}",
           "{% macro m() %}{{ a }}{% endmacro %}{{ x[m()] }}",
           "{% macro m() %}{% endmacro %}{{ x[m.name] }}{{ x[m.arguments[0]] }}",
           "{% macro m() %}{{ x[varargs[0]] }}{% endmacro %}",
           "{% macro m() %}{{ x[kwargs|first] }}{% endmacro %}",
           "{% macro m() %}{{ caller(a ~ b) }}{% endmacro %}"
           "{% call(k) m() %}{{ x[k] }}{% endcall %}",
           "{% macro m(k) %}{{ x[k] }}{% endmacro %}{% set d = {'f': m} %}{{ d.f(a ~ b) }}",
           "{% macro m(k) %}{{ x[k] }}{% endmacro %}{{ m(*[a ~ b]) }}",
           "{% for k in y recursive %}{{ x[k] }}{{ loop([a ~ b]) }}{% endfor %}",
           "{% for k in [1, a ~ b] %}{{ x[loop.previtem] }}{% endfor %}",
           "{% set l = [] %}{% set m = l %}{{ m.append(a ~ b) }}{{ x[l[0]] }}",
           "{% set ns = namespace(a=1) %}{% set o = ns %}{% set o.a = b ~ c %}{{ x[ns.a] }}",
           "{{ x|sort(attribute=a ~ b) }}",
           "{{ x|map(a ~ b) }}",
           "{{ x|map(*a) }}",
           "{{ x|join(',', a ~ b) }}",
           "{{ x|map('sum', a ~ b) }}",
           "{{ (a ~ b).format(x) }}",
           "{{ (a ~ b) % x }}",
           "{{ (a ~ b)|format(x) }}",
           "{{ '{0:{1._a}}'.format(x, y) }}",
           "{{ ['{0._a}']|map(attribute='format')|list }}",
           "{{ '{0._a}'[k](x) }}",
           "{{ x['-1'|replace('1', a)] }}",
           "{{ x[-1|string|replace('-1', '_a')] }}",
           "{{ x[(y is eq 'a'|string|replace('True', '_a'))] }}",
           "{{ x['_a' if y is sameas z else 'b'] }}",
           "{{ x[dict(\xEF\xBC\xBF_a=1)|first] }}",
           "{% set n = namespace(count='_A'.lower) %}{{ x[n.count()] }}",
           "{% set d = [{'split': y.replace}][0] %}{{ x[d.split('q', 'q_a')[1:]] }}",
           "{{ y.update(rfind=y.replace) }}{{ x[y.rfind('q', '_a')] }}",
       }) {
    EXPECT_GT(TotalOf(Judge(With(code)), RuleId::kTemplateInjection), 0U) << code;
  }
}

// One that is set from another, from another and so on is followed as far as honest ones need;
// behind that nothing is known.
TEST(TemplateInjection, ChainsOfNames) {
  const auto chain = [](int links, std::string_view first) {
    std::string code = "{{ x[ns.a" + std::to_string(links) + "] }}{% set ns = namespace() %}";
    for (int i = links; i > 0; --i) {
      code += "{% set ns.a" + std::to_string(i) + " = ns.a" + std::to_string(i - 1) + " %}";
    }
    return code + "{% set ns.a0 = " + std::string(first) + " %}";
  };
  EXPECT_THAT(Fired(chain(4, "'b'")), IsEmpty());
  EXPECT_THAT(Fired(chain(4, "'_b'")), ElementsAre("template-injection"));
  EXPECT_THAT(Fired(chain(100, "'b'")), ElementsAre("template-injection"));
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
  ExpectFinding(TemplateLimitWording::kTokens, "{{ x" + Times("|a", 32'768) + " }}", 0, 2,
                Number(65'537), Number(65'536));
  EXPECT_EQ(TotalOf(Judge(With("{{ x" + Times("|a", 32'767) + " }}")), kRule), 0U);
  EXPECT_EQ(Severities(With("{{ x" + Times("|a", 32'768) + " }}"), kRule), "error error error");
}

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
        "\xE3\x80\x80\xC2\xA0", "\xFF\xFE\xC3"}) {  // blanks; no UTF-8
    EXPECT_EQ(TotalOf(Judge(With(text)), RuleId::kTemplateHidden), 0U) << text;
  }
  // Tags that make no flag: no black flag before them, no end, other characters among them.
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

// Of the system's or a tool's message it is a note, and so is an address that every prompt has.
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
