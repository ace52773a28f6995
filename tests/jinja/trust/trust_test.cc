// Values that may be used as names, according to the strict analysis alone: each rejected form next
// to an accepted one.

#include "jinja/trust/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = TemplateRemark::Kind;

std::vector<TemplateRemark> Found(std::string_view text) {
  std::vector<TemplateRemark> remarks;
  JinjaSpan span;
  CheckTrust(text, span, remarks);
  return remarks;
}

struct Pair {
  std::string_view rejected;
  std::string_view accepted;
};

TEST(Trust, TextThatIsPutTogetherIsNoName) {
  for (const Pair& pair : std::vector<Pair>{
           {"{{ x['a' ~ y] }}", "{{ x['a'] ~ y }}"},
           {"{{ x['a' + y] }}", "{{ x[1 + y] }}"},
           {"{{ x[y * 2] }}", "{{ x[2 * 2] }}"},
           {"{{ x['a%s' % y] }}", "{{ x[7 % y] }}"},
           {"{{ x['abc'[1:]] }}", "{{ x[y[1:]] }}"},
           {"{{ x['a' 'b'] }}", "{{ x['a']['b'] }}"},
           {"{{ x['A'|lower] }}", "{{ x[y|lower] }}"},
           {"{{ x['a b'.split()[0]] }}", "{{ x[y.split()[0]] }}"},
           {"{{ x[y.replace('a', 'b')] }}", "{{ x[y.strip('a')] }}"},
           {"{{ x[y|join] }}", "{{ x[y|first] }}"},
           {"{{ x[y|unknown] }}", "{{ x[y|last] }}"},
           {"{{ x[f(y)] }}", "{{ x[y.f] }}"},
           {"{{ x['\\x61'] }}", "{{ x['\\n'] }}"},
           {"{{ x['__a'] }}", "{{ x['a_b'] }}"},
           {"{{ x['f_code'] }}", "{{ x['code'] }}"},
           {"{{ x[bos_token] }}", "{{ x[bos] }}"},
           {"{{ x[loop.previtem] }}", "{{ x[loop.index0] }}"},
           {"{{ x is undefined|selectattr('a' ~ y) }}", "{{ x is undefined|selectattr('a') }}"},
           {"{% call(a=x is y|map('a' ~ y)) m() %}{% endcall %}",
            "{% call(a=x is y|map('a')) m() %}{% endcall %}"},
           {"{{ x[(true|string).strip('T')] }}", "{{ x[true|string] }}"},
           {"{{ x[(y.format|string)[17:23]] }}", "{{ x[y.format[17:23]] }}"},
           {"{{ x[((y[1], y[2])|string)[2::5]] }}", "{{ x[(y[1], y[2])[0]] }}"},
           {"{{ x[y|string|trim('<>')] }}", "{{ x[y|trim] }}"},
           {"{{ x[(y|lower).split('a')[0]] }}", "{{ x[y|trim|lower] }}"},
           {"{{ x['f_' + true|string] }}", "{{ x[1 + true] }}"}}) {
    EXPECT_THAT(Found(pair.accepted), IsEmpty()) << pair.accepted;
    EXPECT_THAT(Found(pair.rejected), SizeIs(1)) << pair.rejected;
  }
}

// Each way in which a value gets another name: V is the value.
TEST(Trust, FollowsValuesByTheirNames) {
  for (const std::string_view way :
       {"{% set a = V %}{{ x[a] }}",
        "{{ x[a] }}{% set a = V %}",
        "{% if false %}{% set a = V %}{% endif %}{{ x[a] }}",
        "{% set a, b = V, 1 %}{{ x[b] }}",
        "{% set (a,) = [V] %}{{ x[a] }}",
        "{% for a in [V] %}{{ x[a] }}{% endfor %}",
        "{% for a, b in {'k': V}.items() %}{{ x[b] }}{% endfor %}",
        "{% with a = V %}{{ x[a] }}{% endwith %}",
        "{% set n = namespace(f=V) %}{{ x[n.f] }}",
        "{% set n = namespace() %}{% set n.f = V %}{{ x[n.f] }}{{ x[0] }}",
        "{% set n = namespace([['f', V]]) %}{{ x[n.f] }}",
        "{% set n = dict(f=V) %}{{ x[n.f] }}",
        "{% set n = {'f': V} %}{{ x[n['f']] }}",
        "{% set l = [] %}{% set m = l %}{{ m.append(V) }}{{ x[l[0]] }}",
        "{{ messages.append(V) }}{{ x[messages[0]] }}",
        "{{ messages[0].update(a=V) }}{{ x[tools[0].a] }}",
        "{% macro m(a) %}{{ x[a] }}{% endmacro %}{{ m(V) }}",
        "{{ m(V) }}{% macro m(a) %}{{ x[a] }}{% endmacro %}",
        "{% macro m(b, a) %}{{ x[a] }}{% endmacro %}{{ m(a=V) }}",
        "{% macro m(a=V) %}{{ x[a] }}{% endmacro %}{{ m() }}",
        "{% macro m(a) %}{{ x[a] }}{% endmacro %}{% set f = m %}{{ f(V) }}",
        "{% macro m() %}{{ caller(V) }}{% endmacro %}{% call(a) m() %}{{ x[a] }}{% endcall %}",
        "{% for a in y recursive %}{{ x[a] }}{{ loop([V]) }}{% endfor %}",
        "{% for a in [V] recursive %}{{ x[a] }}{% endfor %}",
        "{% for a in y if x[V] recursive %}{% endfor %}",
        "{% set recursive = [V] %}{% for a in recursive %}{{ x[a] }}{% endfor %}",
        "{% set recursive = [V] %}{% for a in [] or recursive %}{{ x[a] }}{% endfor %}",
        "{% set recursive = [V] %}{% for a in [1] + recursive %}{{ x[a] }}{% endfor %}",
        "{% set a|join('', attribute=V) %}b{% endset %}",
        "{% filter join('', attribute=V) %}b{% endfilter %}",
        "{{ x[y or V] }}",
        "{{ x[V if y else 1] }}",
        "{{ x[y.get('k', V)] }}",
        "{{ x[y|default(V)] }}",
        "{{ x['1'|int(V)] }}",
        "{{ y|map(attribute=V) }}",
        "{{ y|selectattr(V) }}",
        "{{ y|sort(false, false, V) }}",
        "{{ y|join(', ', V) }}",
        "{{ V.format(y) }}",
        "{% set f = V.format %}{{ f(y) }}",
        "{% set f = V.format|default(0) %}{{ f(y) }}",
        "{% for f in [V.format] + y %}{{ f(y) }}{% endfor %}",
        "{% for f in (y + [V.format]) %}{{ f(y) }}{% endfor %}",
        "{{ (y if z else V.format|default(0))(y) }}"}) {
    for (const auto& [value, found] : {std::pair("'a' ~ y", 1U), std::pair("y.role", 0U)}) {
      std::string text(way);
      text.replace(
          text.find('V'), 1,
          way.find("V.") == way.npos ? std::string(value) : "(" + std::string(value) + ")");
      EXPECT_THAT(Found(text), SizeIs(found)) << text;
    }
  }
}

TEST(Trust, LeavesOtherNamesAlone) {
  for (const std::string_view text :
       {"{% set n = namespace(i=0, s='') %}{% set n.s = n.s ~ y %}{{ x[n.i] }}",
        "{% set l = [] %}{{ l.append('a' ~ y) }}{% for k in ['a', 'b'] %}{{ x[k] }}{% endfor %}",
        "{% macro m(a, b) %}{{ x[b] }}{% endmacro %}{{ m('a' ~ y, y.role) }}",
        "{% set a = 'a' ~ y %}{{ a[0] }}{{ a.split('b')[-1] }}{{ a['format'] }}",
        "{{ y|join(', ' ~ z) }}{{ y|map('upper')|join(attribute='a') }}",
        "{{ x[messages|length - 1] }}{{ x[(y|length) + (z|length)] }}",
        "{{ ('a' ~ y)|length }}{{ x[('a' ~ y)|length] }}",
        "{{ {'Monday': 1}[strftime_now('%A')] }}"}) {
    EXPECT_THAT(Found(text), IsEmpty()) << text;
  }
  EXPECT_THAT(Found("{% macro m(a) %}{{ x[a] }}{% endmacro %}{{ ['a' ~ y].sort(key=m) }}"),
              SizeIs(1));
  EXPECT_THAT(Found("{{ {'a': 1}[strftime_now('f_%Zcode')] }}"), SizeIs(1));
}

// A method as a value, and a method that a field or a key hides.
TEST(Trust, KnowsWhatIsCalled) {
  for (const Pair& pair : std::vector<Pair>{
           {"{{ ['a'].sort(key=('a' ~ y).format) }}", "{{ ['a'].sort(key=y.format) }}"},
           {"{{ y['format' if z else 'get']('a' ~ y)['a' ~ y] }}", "{{ y['get']('a') }}"},
           {"{{ x[{'lower': y.z}.lower()] }}", "{{ x[y.lower()] }}"},
           {"{% set n = namespace(get=y.z) %}{{ x[n.get()] }}", "{{ x[n.get()] }}"},
           {"{{ x[y['lower']()] }}", "{{ x[y.lower()] }}"},
           {"{% set n = namespace(a='a' ~ y) %}{{ x[n['ab'|first]] }}",
            "{% set n = namespace(a='a' ~ y) %}{{ x[n['ab']] }}"},
           {"{% set l = [] %}{{ ['a' ~ y].sort(key=l.append) }}{{ x[l[0]] }}",
            "{% set l = [] %}{{ ['a' ~ y].sort(key=z) }}{{ x[l[0]] }}"},
           {"{% macro m(a) %}{{ x[a] }}{% endmacro %}{{ m(*['a' ~ y]) }}",
            "{% macro m(a) %}{{ x[a] }}{% endmacro %}{{ m(*[y]) }}"},
           {"{{ ('a' ~ y)[z](y) }}", "{{ ('a' ~ y)[z] }}"},
           {"{% for f in ['a' ~ y]|map(attribute=z) %}{{ f(y) }}{% endfor %}",
            "{% for f in ['a' ~ y]|map(attribute=z) %}{{ f }}{% endfor %}"},
           {"{% set n = namespace(a='a' ~ y) %}{{ 1 is eq [n][0].a.format(y) }}",
            "{{ 1 is eq [y] and y.a.format(y) }}"},
           {"{% for a in ['f_' 'code'] %}{{ x[a] }}{% endfor %}",
            "{% for a in ['f_', 'code'] %}{{ x[a] }}{% endfor %}"}}) {
    EXPECT_THAT(Found(pair.accepted), IsEmpty()) << pair.accepted;
    EXPECT_GT(Found(pair.rejected).size(), 0U) << pair.rejected;
  }
}

// A tag with a known error is not reported twice.
TEST(Trust, TellsOnce) {
  std::vector<TemplateRemark> remarks = {{.kind = Kind::kInternalName, .at = 4}};
  JinjaSpan span;
  CheckTrust("{{ x['a' ~ y] }}{{ x['b' ~ y] }}", span, remarks);
  ASSERT_THAT(remarks, SizeIs(2));
  EXPECT_EQ(remarks.back().at, 20U);
  EXPECT_EQ(remarks.back().kind, Kind::kComputedName);
  EXPECT_EQ(remarks.back().name, "~");
}

// Names that still change after kTrustReadings count as made by the template.
TEST(Trust, GivesUp) {
  std::string text = "{% set a0 = messages %}";
  std::string backwards;
  for (int i = 1; i <= kTrustReadings + 2; ++i) {
    const std::string set =
        "{% set a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " or 'x' %}";
    text += set;
    backwards = set + backwards;
  }
  const std::string name = "{{ x[a" + std::to_string(kTrustReadings + 2) + "] }}";
  EXPECT_THAT(Found(text + name), IsEmpty());
  EXPECT_THAT(Found(backwards + "{% set a0 = 'x' ~ y %}" + name), SizeIs(1));
}

// A template with more names than are kept may use one of the others.
TEST(Trust, GivesUpOnManyNames) {
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "{% set a" + std::to_string(i) + " = 1 %}";
  const std::string name = "{% set b = 1 %}{{ x[b] }}";
  EXPECT_THAT(Found(text + name), IsEmpty());
  for (int i = 0; i < 100; ++i) text += "{% set c" + std::to_string(i) + " = 1 %}";
  EXPECT_THAT(Found(text + name), SizeIs(1));
}

// If names are set from each other against the order of reading, each takes another reading, up to
// the limit.
TEST(Trust, ReadsEachTokenABoundedNumberOfTimes) {
  constexpr std::uint64_t kTokens = 6;  // of each `set`
  for (const auto& [names, readings] : {std::pair(1U, 5U), std::pair(40U, kTrustReadings + 2U)}) {
    std::string text;
    for (unsigned i = names; i > 0; --i) {
      text += "{% set a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " or 'x' %}";
    }
    text += "{% set a0 = 'x' ~ y %}";
    std::vector<TemplateRemark> remarks;
    JinjaSpan span;
    EXPECT_EQ(CheckTrust(text, span, remarks), kTokens * (names + 1) * readings);
  }
}

}  // namespace
}  // namespace ggufgate
