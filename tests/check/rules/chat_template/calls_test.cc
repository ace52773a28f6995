// template-limit: costs that show only across calls, rounds and other names of an object, and
// published forms that look similar.

#include "tests/check/rules/chat_template/told_apart.h"

namespace ggufgate::testing {
namespace {

// A loop may be around a call of the code that adds to its list.
TEST(TemplateCalls, LoopsAroundCallsThatAdd) {
  const std::string macro =
      "{% set l = [1] %}{% macro m(x) %}{% if x.append(1) %}{% endif %}{% endmacro %}";
  const std::string block =
      "{% set l = [1] %}{% set k = [2] %}{% macro w(q) %}{% for i in q %}{{ caller() }}"
      "{% endfor %}{% endmacro %}";
  for (const Form& form : std::initializer_list<Form>{
           {macro + "{% for i in @ %}{{ m(l) }}{% endfor %}", "l", "range(messages|length)"},
           {macro + "{% macro n() %}{{ m(l) }}{% endmacro %}{% for i in @ %}{{ n() }}{% endfor %}",
            "l", "['a', 'b']"},
           {macro + "{% set d = {'f': m} %}{% for i in @ %}{{ d.f(l) }}{% endfor %}", "l", "[1]"},
           {macro + "{% for i in messages %}{{ m(@) }}{% endfor %}", "messages", "l"},
           {block + "{% call w(@) %}{% if l.append(1) %}{% endif %}{% endcall %}", "l", "k"},
           {"{% set l = [1] %}{% macro m(x) %}{% set n = namespace(a=@) %}"
            "{% if n.a.append(1) %}{% endif %}{% endmacro %}{% for i in l %}{{ m(l) }}{% endfor %}",
            "x", "[]"},
       }) {
    ExpectToldApart(form);
  }
}

TEST(TemplateCalls, ManyMethodsThatAdd) {
  const auto adding = [](std::size_t times) {
    return "{% macro m(l) %}" + Times("{% set _ = l.append(1) %}", times) +
           "{% endmacro %}{{ m([]) }}";
  };
  EXPECT_THAT(Fired(adding(256)), IsEmpty());
  EXPECT_GT(TotalOf(Judge(With(adding(257))), RuleId::kTemplateLimit), 0U);
}

TEST(TemplateCalls, ObjectsThatGrowByOtherNames) {
  for (const Form& form : std::initializer_list<Form>{
           {"{% set l = ['x'] %}{% macro m(x) %}{% if x.append(l[-1] ~ @) %}{% endif %}"
            "{% endmacro %}{% for i in range(40) %}{{ m(l) }}{% endfor %}",
            "l[-1]", "'x'"},
           {"{% set l = ['x'] %}{% macro n(y) %}{% if y.append(l[-1] ~ @) %}{% endif %}"
            "{% endmacro %}{% macro m(x) %}{{ n(x) }}{% endmacro %}"
            "{% for i in range(40) %}{{ m(l) }}{% endfor %}",
            "l[-1]", "'x'"},
           {"{% set ns = namespace(t='x') %}{% for i in range(40) %}"
            "{% set j = joiner(ns.t ~ @) %}{% set k = j() %}{% set ns.t = j() %}{% endfor %}",
            "ns.t", "'x'"},
           {"{% set l = [] %}{% set q = l.append(1) %}{% if q.append(@) %}{% endif %}{{ l }}", "l",
            "1"},
           {"{% set d = {} %}{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(d) }}"
            "{{ d|tojson }}",
            "d", "1"},
           {"{% macro m(x) %}{% set x.f = @ %}{% endmacro %}{{ m(messages[0]) }}"
            "{{ messages|tojson }}",
            "x", "1"},
       }) {
    ExpectToldApart(form);
  }
  // No code can use `_`, which llama.cpp makes another name of all these lists.
  EXPECT_THAT(Fired("{% set a = [] %}{% set b = [] %}{% set _ = a.append(1) %}"
                    "{% set _ = b.append(a) %}{{ b }}"),
              IsEmpty());
}

TEST(TemplateCalls, SizesThroughSeveralNames) {
  for (const Form& form : std::initializer_list<Form>{
           {"{% set ns = namespace(a='', b='', c='', d='') %}{% for i in range(9) %}"
            "{% set ns.a = ns.b %}{% set ns.b = ns.c %}{% set ns.c = ns.d %}"
            "{% set ns.d = 'x' * @ %}{% endfor %}{{ (ns.a * 9000)|length }}",
            "90000", "9"},
           {"{% set ns = namespace(a=0, b=0, c=0, d=0) %}{% for i in range(9) %}"
            "{% set ns.a = ns.b %}{% set ns.b = ns.c %}{% set ns.c = ns.d %}{% set ns.d = @ %}"
            "{% endfor %}{{ range(ns.a)|length }}",
            "99999999", "9"},
           {"{% set ns = namespace(t='') %}{% for i in range(300) %}{% if i %}{% set s = ns.t %}"
            "{% else %}{% set s = ns.t %}{% endif %}{% set ns.t = s ~ @ %}{% endfor %}"
            "{{ (ns.t * 400)|length }}",
            "'x' * 6000", "''"},
           {"{% set ns = namespace(n=0) %}{% for i in range(1400) %}{% if i %}{% set s = ns.n %}"
            "{% else %}{% set s = ns.n %}{% endif %}{% set ns.n = s + @ %}{% endfor %}"
            "{{ range(ns.n)|length }}",
            "3000", "1"},
       }) {
    ExpectToldApart(form);
  }
  // The fields of one namespace are not parts of each other.
  EXPECT_THAT(Fired("{% set ns = namespace(a='x', b='x') %}{% for i in range(40) %}"
                    "{% set ns.a = ns.a ~ 'x' %}{% set ns.b = ns.b ~ ns.a %}{% endfor %}"
                    "{{ ns.b }}"),
              IsEmpty());
}

// A long system prompt in a template is at one key of one message.
TEST(TemplateCalls, SizesByKey) {
  const std::string prompt(6'000, 'p');
  const auto over = [&](std::string_view key, std::string_view changed = "") {
    return "{% set s = {'role': 'system', 'content': '" + prompt + "'} %}" + std::string(changed) +
           "{% set messages = [s] + messages %}{% for m in messages %}{% for t in " +
           std::string(key) + " %}{% endfor %}{% endfor %}";
  };
  EXPECT_THAT(Fired(over("m.tool_calls")), IsEmpty());
  EXPECT_THAT(Fired(over("m['tool_calls']")), IsEmpty());
  EXPECT_THAT(Fired(over("m.get('tool_calls', [])")), IsEmpty());
  for (const std::string& costly :
       {over("m.content"), over("m['content']"), over("m.get('content')"),
        over("m.get('tool_calls', m.content)"), over("m['con' ~ 'tent']"),
        over("m.tool_calls", "{% set _ = s.update({'tool_calls': s.content}) %}"),
        over("m.tool_calls", "{% set _ = s.update(tool_calls=s.content) %}"),
        over("m.tool_calls", "{% set _ = s.setdefault('tool_calls', s.content) %}"),
        over("m.tool_calls", "{% set _ = s.update([['tool_calls', s.content]]) %}"),
        over("m.tool_calls", "{% set s = dict(s, tool_calls=s.content) %}"),
        over("m.tool_calls", "{% set s = dict([['tool_calls', s.content]]) %}"),
        over("m.tool_calls", "{% set s = {'tool_' ~ messages[0].x: s.content} %}"),
        over("m.tool_calls", "{% set s.tool_calls = s.content %}")}) {
    EXPECT_GT(TotalOf(Judge(With(costly)), RuleId::kTemplateLimit), 0U)
        << costly.substr(prompt.size());
  }
}

// Forms similar to values that hide a macro, and to targets that only llama.cpp accepts.
TEST(TemplateCalls, CallsAndTargetsThatAreKnown) {
  for (const std::string_view form : {
           "{% set s = joiner(', ') %}{% for m in messages %}{{ s() }}{{ m.role }}{% endfor %}",
           "{% macro m(x) %}{{ x.role }}{% endmacro %}{% set f = m %}{{ f(messages[0]) }}",
           "{% macro m(x) %}{{ x.role }}{% endmacro %}{% set l = [] %}{% set _ = l.append(m) %}"
           "{{ l[0](messages[0]) }}",
           "{% macro w(x) %}{{ caller(x) }}{% endmacro %}{% call(m) w(messages[0]) %}{{ m.role }}"
           "{% endcall %}",
           "{% for t in tools %}{{ t.items.type }}{{ t['items'].type }}{% endfor %}",
           "{% set (a, b) = [1, 2] %}{% set c, d = 1, 2 %}{{ a ~ b ~ c ~ d }}",
           "{% set x|upper %}a{% endset %}{% set ns = namespace(a='') %}{% set ns.a %}b{% endset %}"
           "{{ x ~ ns.a }}",
           "{% if not x and y is not none or z not in [1] %}{{ not (x) if y is defined else -1 }}"
           "{% endif %}{{ {'if': 1, 'a': not x}.if }}{{ 0x1F + 1e3 + 1_000 }}",
           "{% for t in tools if not t.if %}{{ t['not'] is string and (t.in or t.not) }}{% endfor "
           "%}",
           "{% with a = [1, 2], b = 3 %}{{ a[0] + b }}{% endwith %}",
           "{% for x in messages %}{{ loop.cycle('a', 'b').upper() }}{% endfor %}",
           "{% macro next(s) %}{% set s.n = s.n + 1 %}{{ s.n }}{% endmacro %}"
           "{% macro m(s) %}{{ next(s) }}{% endmacro %}{{ m(namespace(n=0)) }}",
       }) {
    EXPECT_THAT(Fired(std::string(form)), IsEmpty()) << form;
  }
}

// Published forms that were rejected.
TEST(TemplateCalls, FormsOfPublishedTemplates) {
  for (const std::string_view form : {
           // K2: the numbers of a range() are not values that a method stored.
           "{% set q = [] %}{% set _ = q.append('x' + y) %}{% for i in range(messages|length) %}"
           "{{ messages[i].content }}{% endfor %}",
           // MiroThinker: a text that code adds to, and another variable that is a number.
           "{% set d = 'a' %}{% set d = d + 'b' %}{% set i = messages|length - 1 %}"
           "{{ messages[i].content }}",
       }) {
    EXPECT_THAT(Fired(std::string(form)), IsEmpty()) << form;
  }
  // Apertus: each call of a macro has a separate list. A walk is a note.
  for (const std::string_view form :
       {"{% macro f(s) %}{% set p = [] %}{% for v in s.oneOf %}{% set p = p + [f(v)] %}{% endfor %}"
        "{{ p|join('|') }}{% endmacro %}{{ f(tools) }}",
        "{% macro f(s) %}{% set p = '' %}{% for k, v in s.properties.items() %}"
        "{% set p = p ~ k ~ f(v) %}{% endfor %}{{ p }}{% endmacro %}{{ f(tools) }}"}) {
    EXPECT_EQ(Judge(With(std::string(form))).Only(RuleId::kTemplateLimit).severity, Severity::kNote)
        << form;
  }
  // The same with a text of all calls, and with a text that is used as a name.
  EXPECT_GT(TotalOf(Judge(With("{% set n = namespace(p='x') %}{% macro f(s) %}"
                               "{% for v in s.oneOf %}{% set n.p = n.p ~ f(v) %}{% endfor %}"
                               "{{ n.p }}{% endmacro %}{{ f(tools) }}")),
                    RuleId::kTemplateLimit),
            0U);
  EXPECT_GT(TotalOf(Judge(With("{% set d = 'a' %}{% set d = d + 'b' %}{{ messages[d] }}")),
                    RuleId::kTemplateInjection),
            0U);
}

}  // namespace
}  // namespace ggufgate::testing
