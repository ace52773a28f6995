// template-limit: the values of one name. Published templates use a name for several things; costly
// ones hide a large value behind a name that seems small.

#include "tests/check/rules/chat_template/told_apart.h"

namespace ggufgate::testing {
namespace {

// llama.cpp lets a macro see the variables of the macro that calls it.
TEST(TemplateNames, ParametersAndVariables) {
  for (const Form& form : std::initializer_list<Form>{
           {"{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{% set n = 5 %}{{ m(@) }}", "999999", "n"},
           {"{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{% set n = @ %}{{ m(5) }}{{ 'x' * n }}",
            "999999", "5"},
           {"{% macro m(n) %}{{ 'x' * 5 }}{% endmacro %}{% set n = @ %}{{ m(5) }}{{ m(n) }}"
            "{% macro k() %}{{ 'x' * n }}{% endmacro %}{{ k() }}",
            "999999", "5"},
           {"{% macro k() %}{{ 'x' * n }}{% endmacro %}{% macro m(n) %}{{ k() }}{% endmacro %}"
            "{{ m(@) }}",
            "999999", "5"},
           {"{% macro m(n) %}{% set n = @ %}{{ 'x' * n }}{% endmacro %}{{ m(5) }}", "999999",
            "n + 1"},
       }) {
    ExpectToldApart(form);
  }
  // GLM-5.3-flash has a parameter and a variable with the same name, each made of the other.
  EXPECT_THAT(
      Fired("{% macro seen(text) %}{% for p in text %}{{ p.type ~ ' " + std::string(300, 'x') +
            "' }}{% endfor %}{{ text }}{% endmacro %}{% for m in messages %}"
            "{% set text = seen(m.content) %}{% set text = text.split('a')[-1] %}{{ text.strip() }}"
            "{% endfor %}"),
      IsEmpty());
}

// Above the limit, parameters share a variable with all other uses of their names.
TEST(TemplateNames, ManyParameters) {
  std::string names;
  std::string values;
  for (int i = 0; i < 64; ++i) {
    names += "p" + std::to_string(i) + ",";
    values += "1,";
  }
  const std::string last =
      "{% macro m(" + names + "n) %}{{ 'x' * n }}{% endmacro %}{{ m(" + values + "@) }}";
  ExpectToldApart({last, "999999", "5"});
  std::string macros;
  for (int i = 0; i < 1'001; ++i)
    macros += "{% macro a" + std::to_string(i) + "(n) %}{% endmacro %}";
  ExpectToldApart(
      {macros + "{% macro m(n) %}{{ 'x' * n }}{% endmacro %}{{ m(@) }}", "999999", "5"});
}

TEST(TemplateNames, RoundsOfALoop) {
  const std::string doubled = Filled("@@@@@@@@@@@@@@@@@@@@@@@@@@@@", "{% set s = s ~ s %}");
  const std::string longer = Filled("@@@@@@@@@@@@@@@@@@@@@@@@@@@@", "{% set s = s ~ 'a' %}");
  for (const Form& form : std::initializer_list<Form>{
           {"{% for m in messages %}{% set s = 'ab' %}{% if m %}@{% endif %}{{ s }}{% endfor %}",
            doubled, longer},
           {"{% for i in range(2) %}{% set n = 1 %}{{ 'x' * n }}{% set n = @ %}{{ 'x' * n }}"
            "{% endfor %}",
            "999999", "5"},
           {"{% for i in range(3) %}{% if i %}{{ 'x' * n }}{% endif %}{% set n = @ %}{% endfor %}",
            "999999", "5"},
           {"{% for i in range(3) %}{% set n = 1 %}{% if i %}{% set n = @ %}{% endif %}"
            "{{ 'x' * n }}{% endfor %}",
            "999999", "5"},
           // The size of an earlier round remains if a condition fails.
           {"{% for i in range(2) %}@{% set t = s * 5000 %}{% set t = t ~ 'a' %}"
            "{% set s = 'x' * 5000 %}{% endfor %}",
            "{% if i == 0 %}{% set s = 'a' %}{% endif %}", "{% set s = 'a' %}"},
           {"{% for i in range(3) %}{% set l = [1] %}{% for j in range(2) %}"
            "{% set _ = l.append(@) %}{% endfor %}{{ 'x' * l[-1] }}{% endfor %}",
            "999999", "5"},
       }) {
    ExpectToldApart(form);
  }
}

TEST(TemplateNames, WhatMethodsStore) {
  for (const Form& form : std::initializer_list<Form>{
           {"{% set d = {} %}{% set x = d.update({'n': @}) %}{{ 'x' * d.n }}", "999999", "5"},
           {"{% set x = messages[0].update({'n': @}) %}{{ 'x' * messages[0].n }}", "999999", "5"},
           {"{% set l = [messages[0]] %}{% set x = l[0].update({'n': @}) %}"
            "{{ 'x' * messages[0].n }}",
            "999999", "5"},
           {"{% set x = {'a': messages}.a.append({'n': @}) %}{{ 'x' * messages[-1].n }}", "999999",
            "5"},
           {"{% macro p(d) %}{% set x = d.update({'n': @}) %}{% endmacro %}{{ p(messages[0]) }}"
            "{{ 'x' * messages[0].n }}",
            "999999", "5"},
       }) {
    ExpectToldApart(form);
  }
  // Hunyuan-A13B: a counter in a dictionary is not part of the texts of the conversation.
  std::string text = "{% set d = {'first': true} %}{% for m in messages %}{% set c = m.content %}";
  for (int i = 0; i < 20; ++i) {
    text += "{% if loop.index == " + std::to_string(i) + " %}{% set c = 'abcdef' + c %}{% endif %}";
  }
  EXPECT_THAT(Fired(text + "{% set _ = d.update({'first': false}) %}{{ c }}{% endfor %}"),
              IsEmpty());
}

TEST(TemplateNames, ListsThatLoopsAddTo) {
  const std::string handed =
      "{% macro f(a) %}{% for x in a %}{% set _ = l.append(1) %}{% endfor %}{% endmacro %}"
      "{% set l = [1] %}{{ f(@) }}";
  for (const Form& form : std::initializer_list<Form>{
           {"{% set l = [1] %}{% set d = {'k': @} %}{% for x in d.k %}{% set _ = l.append(x) %}"
            "{% endfor %}",
            "l", "[1]"},
           {"{% set l = [[1]] %}{% set j = [1] %}{% for x in l[0] %}{% set _ = @.append(x) %}"
            "{% endfor %}",
            "l[0]", "j"},
           {handed, "l", "[1]"},
           {handed, "*[l]", "*[[1]]"},
           {handed, "**{'a': l}", "**{'a': [1]}"},
           {"{% macro f() %}{% for x in varargs[0] %}{% set _ = l.append(1) %}{% endfor %}"
            "{% endmacro %}{% set l = [1] %}{{ f(@) }}",
            "l", "[1]"},
           {"{% macro f() %}{% for x in kwargs.a %}{% set _ = l.append(1) %}{% endfor %}"
            "{% endmacro %}{% set l = [1] %}{{ f(a=@) }}",
            "l", "[1]"},
           // DeepSeek-V3.2: a field of a namespace that the code has just made.
           {"{% if not o %}{% set o = namespace(v=none) %}{% for m in messages %}"
            "{% set o.v = m.x %}{% endfor %}{% endif %}{% if not t %}{% set t = namespace(v=@) %}"
            "{% for m in messages %}{% for x in m.t %}{% set _ = t.v.append(x.f) %}{% endfor %}"
            "{% endfor %}{% set t = t.v %}{% endif %}",
            "messages[0].t", "[]"},
           {"{% if not t %}{% set t = namespace(v=[]) %}{% for m in messages %}"
            "{% for x in y %}{% set _ = t.v.append(x.f) %}{% endfor %}{% set y = @ %}{% endfor %}"
            "{% endif %}",
            "t.v", "[1]"},
       }) {
    ExpectToldApart(form);
  }
}

// The 257th `append` in a loop is no longer compared with it.
TEST(TemplateNames, ManyListsThatLoopsAddTo) {
  const auto adding = [](std::size_t times) {
    return "{% set l = [] %}{% for m in messages %}" + Times("{% set _ = l.append(1) %}", times) +
           "{% endfor %}";
  };
  EXPECT_THAT(Fired(adding(256)), IsEmpty());
  EXPECT_GT(TotalOf(Judge(With(adding(257))), RuleId::kTemplateLimit), 0U);
}

}  // namespace
}  // namespace ggufgate::testing
