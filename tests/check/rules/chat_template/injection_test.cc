// template-injection: access to the internals of Python, and the most similar valid template.

#include "tests/check/rules/chat_template/judged_template.h"

namespace ggufgate::testing {
namespace {

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
  ExpectFinding(Says::kTaken, "{% set f = l.append %}", 13, 6, Text("append"));
  ExpectFinding(Says::kTaken, "{% set f = l['extend'] %}", 12, 1, Text("extend"));
  ExpectFinding(Says::kTaken, "{% macro m() %}{% set f = caller %}", 15, 2, Text("caller"));
  ExpectFinding(Says::kCalled, "{% set f = x.get %}{{ f('a') }}", 23, 1, Text("f"));
  ExpectFinding(Says::kTaken, "{% macro m(x) %}{% endmacro %}{% set _ = l.sort(key=m) %}", 43, 4,
                Text("m"));
  ExpectFinding(Says::kTaken, "{% call d.update() %}{% endcall %}", 8, 1, Text("caller"));
  ExpectFinding(Says::kTaken, "{% set f = self.b %}{% block b %}{% endblock %}", 16, 1, Text("b"));
  ExpectFinding(Says::kAmbiguous, "{{ 1 is eq if(x) }}", 11, 2, Text("if"));
  ExpectFinding(Says::kAmbiguous, "{{ 'a' ~ not }}", 9, 3, Text("not"));
  ExpectFinding(Says::kAmbiguous, "{% set not = 1 %}", 7, 3, Text("not"));
  ExpectFinding(Says::kAmbiguous, "{{ 0b0or(x) }}", 3, 5, Text("0b0or"));
  ExpectFinding(Says::kAmbiguous, "{{ 0or[x] }}", 3, 3, Text("0or"));
  ExpectFinding(Says::kInternalName, "{% macro m(__init__) %}{% endmacro %}", 11, 8,
                Text("__init__"));
  ExpectFinding(Says::kTarget, "{% set d['x'].a = d %}", 7, 1, Text("d"));
  ExpectFinding(Says::kTarget, "{% set d.x.a = 1 %}", 7, 1, Text("d"));
  ExpectFinding(Says::kTarget, "{% set (a) %}b{% endset %}", 7, 1, Text("("));
  ExpectFinding(Says::kTarget, "{% with a, b = [1, 2] %}{% endwith %}", 8, 1, Text("a"));
  ExpectFinding(Says::kCalled, "{% set r = range %}{{ r(9) }}", 23, 1, Text("r"));
  ExpectFinding(Says::kRebound, "{% set loop = x %}", 0, 2, Text("loop"));
  ExpectFinding(Says::kRebound, "{% macro range() %}", 0, 2, Text("range"));
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
           "{{ x['a__b'] }}{{ x.a__b }}{{ x.a_ }}{% set _a = 1 %}{{ _a }}",
           "{{ x[loop.index0 + 1] }}{{ x[-1] }}{{ x[i] }}{{ x[y.z] }}{{ x[x|length - 1] }}",
           "{{ x[y|lower|trim] }}{{ x[y.split('a')[0]] }}{{ x[y or 'a'] }}",
           "{% for k, v in {'a': 1}.items() %}{{ x[k] }}{% endfor %}",
           "{% set ns = namespace(i=0, s='') %}{% set ns.i = ns.i + 1 %}{% set ns.s = ns.s ~ y %}"
           "{{ x[ns.i] }}",
           "{% macro f(k, s) %}{{ x[k] }}{% endmacro %}{{ f(y.z, 'a' ~ y) }}",
           "{{ x[strftime_now('%d')] }}{{ y ~ z }}{{ (y ~ z)[0] }}",
           "{% set l = [] %}{% set _ = l.append(y) %}{{ x[l[0]] }}{{ x['1'|int(0)] }}{{ "
           "x['1'|float] }}",
           "{% macro m(namespace='a', range=1) %}{{ namespace ~ range }}{% endmacro %}{{ m('b') }}",
           "{% set dict = {'a': 1} %}{{ dict.a }}{% for i in [1] %}{{ x[loop.index] }}{% endfor %}",
           "{% macro m() %}{% if caller %}{{ caller() }}{% endif %}{{ x[y - z] }}{% endmacro %}",
           "{% set sep = joiner(', ') %}{{ sep() }}{{ cycler('a', 'b').next() }}{{ "
           "namespace(a=1).a }}",
           "{% set cycler = 1 %}{{ cycler }}",
           "{{ x|map(attribute='a.b')|list }}{{ x|map('upper') }}{{ x|sum(attribute='n') }}",
           "{{ x|selectattr('name', 'equalto', '__init__')|list }}",
           "{{ x|join('__init__') }}{{ x|sort(true, false) }}",
           "{{ '{0.name}{{0}}'.format(x) }}{{ x.format('{0.__class__}') }}",
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

// An unknown value is no finding unless it is used as a name.
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
           "{{ x['z'|int('_a'|lower)] }}",
           "{{ x['z'|float(*['_a'|lower])] }}",
           "{{ x[['z']|map('int', '_a'|lower)|first] }}",
           "{{ x[({'_a'|lower: 1}.keys() - [])|first] }}",
           "{{ x[{}.fromkeys(['count'], '_A'.lower).count()] }}",
           "{% macro m() %}{{ x[kwargs.count()] }}{% endmacro %}{{ m(count='_A'.lower) }}",
           "{% set range = '_A'.lower %}{{ x[range()] }}",
           "{% macro m(dict) %}{{ x[dict()] }}{% endmacro %}{{ m('_A'.lower) }}",
           "{% for cycler in ['_A'.lower] %}{{ x[cycler()] }}{% endfor %}",
           "{% with strftime_now = '_A'.lower %}{{ x[strftime_now('%d')] }}{% endwith %}",
           "{% set namespace = '_A'.lower %}{{ x[namespace()] }}",
           "{% set loop = {'index': '_A'.lower()} %}{{ x[loop.index] }}",
           "{% call(loop) m() %}{% endcall %}",
           "{% macro caller() %}{% endmacro %}",
           "{% macro m(varargs) %}{% endmacro %}",
           "{{ [caller] }}",
           "{% set x = [y.append] %}",
           "{{ [x]|map(attribute='append')|list }}",
           "{{ (x.update)({'a': 1}) }}",
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

// Python reads `ª` as `a`. A non-ASCII name is an error in any position of code.
TEST(TemplateInjection, NamesBeyondAscii) {
  ExpectFinding(TemplateInjectionWording::kForeignName, "{{ \u00AA }}", 3, 2, Text("\u00AA"));
  for (const char* code : {
           "{% set \u00AA = 1 %}",
           "{% set b, \u00AA = 1, 2 %}",
           "{% set \u00AA %}b{% endset %}",
           "{% set b | \u00AA %}b{% endset %}",
           "{% set ns.\u00AA = 1 %}",
           "{% set \u00AA.b = 1 %}",
           "{{ namespace(\u00AA=1) }}",
           "{{ x.\u00AA }}",
           "{{ x.b\u00AA.c }}",
           "{{ x|\u00AA }}",
           "{{ x|b.\u00AA }}",
           "{{ x is \u00AA }}",
           "{{ x is not b.\u00AA }}",
           "{{ x|map(\uFF41ttribute='b') }}",
           "{{ f(\u00AA=1) }}{{ dict(\u00AA=1) }}",
           "{{ f(*\u00AA, **b) }}",
           "{{ x[\u00AA] }}",
           "{{ {\u00AA: 1} }}",
           "{% for \u00AA in x %}{% endfor %}",
           "{% for b, (c, \u00AA) in x %}{% endfor %}",
           "{% for b in \u00AA if c %}{% endfor %}",
           "{% with \u00AA = 1 %}{% endwith %}",
           "{% macro \u00AA() %}{% endmacro %}",
           "{% macro m(\u00AA, b=1) %}{% endmacro %}",
           "{% macro m(b=\u00AA) %}{% endmacro %}",
           "{% call(\u00AA) m() %}{% endcall %}",
           "{% block \u00AA %}{% endblock %}",
           "{% block b scoped %}{% endblock \u00AA %}",
           "{% filter \u00AA %}{% endfilter %}",
           "{% import 'b' as \u00AA %}",
           "{% from 'b' import \u00AA as c %}",
           "{% from 'b' import c as \u00AA %}",
           "{% if \u00AA %}{% elif b %}{% endif %}",
           "{% \u00AA %}",
           "{{ \uFF11 }}{{ 1\u0663 }}",         // digits of other scripts
           "{{ a\u0301 }}{{ a\u00B7 }}",        // continuations of a name
           "{{ \U0001D41A }}{{ \u0430 }}",      // mathematical, Cyrillic
           "{{ a\xFF }}",                       // not UTF-8
           "{%- raw -%}{% endraw %}{{ \u00AA",  // even if the code is not closed
       }) {
    EXPECT_GT(TotalOf(Judge(With(code)), RuleId::kTemplateInjection), 0U) << code;
  }
  for (const char* code : {
           "\u00AA {{ '\u00AA' }}{# \u00AA #}{% raw %}{{ \u00AA }}{% endraw %}",
           "{{ x['\u00AA'] }}{{ x.get('\uFF41') }}{{ \"\u00AA\" ~ x }}",
           "{{\u00A0x\u3000}}{%\u2003set\u00A0a\u2003=\u00A01\u3000%}",  // white space in Python
           "{{ x|map(attribute='\u00AA')|join('\uFF3F') }}",
       }) {
    EXPECT_THAT(Fired(code), IsEmpty()) << code;
  }
}

// A name that is set from another, and so on, is followed as far as published templates need.
// Beyond that it is unknown.
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

}  // namespace
}  // namespace ggufgate::testing
