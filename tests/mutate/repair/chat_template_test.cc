// Chat templates: of each limit and each way to write something, one that is vouched for beside the
// nearest that is not. The gate accepts the first; of the second it may well think better.

#include <string>

#include "mutate/repair/meaning.h"
#include "tests/mutate/lies/meaning_lines.h"

namespace ggufgate::mutate {
namespace {

std::string Times(std::size_t count, std::string_view text) {
  std::string all;
  for (; count > 0; --count) all += text;
  return all;
}

class Templates : public MeaningLines {
 protected:
  void ExpectLineBetween(const std::string& sound, const std::string& unsound) {
    EXPECT_TRUE(IsHarmlessTemplate(sound)) << sound.substr(0, 200);
    EXPECT_FALSE(IsHarmlessTemplate(unsound)) << unsound.substr(0, 200);
    for (const std::string_view key :
         {"tokenizer.chat_template", "tokenizer.chat_template.tool_use"}) {
      ExpectKept({}, Text(key, sound));
      ExpectDroppedToBeSure({}, Text(key, unsound));
    }
  }
};

TEST_F(Templates, HaveLimits) {
  ExpectLineBetween(std::string(16'384, 'x'), std::string(16'385, 'x'));
  const auto nested = [](std::size_t depth) {
    return Times(depth, "{% if a %}") + Times(depth, "{% endif %}");
  };
  ExpectLineBetween(nested(16), nested(17));
  const auto bracketed = [](std::size_t depth) {
    return "{{ " + Times(depth, "(") + "a" + Times(depth, ")") + " }}";
  };
  ExpectLineBetween(bracketed(16), bracketed(17));
  ExpectLineBetween("{{ a" + Times(8, " + a") + " }}", "{{ a" + Times(9, " + a") + " }}");
  ExpectLineBetween("{{ a" + Times(8, " ~ a") + " }}", "{{ a" + Times(9, " ~ a") + " }}");
  ExpectLineBetween("{% if a == 9999 %}{% endif %}", "{% if a == 10000 %}{% endif %}");
}

TEST_F(Templates, OpenAndClose) {
  for (const auto& [sound, unsound] : std::to_array<std::array<std::string, 2>>({
           {"{{ a }}", "{{ a }"},
           {"{{- a -}}", "{{ a -}"},
           {"{% if a %}{% endif %}", "{% if a %}"},
           {"{% if a %}{% endif %}", "{% if a %}{% endif %}{% endif %}"},
           {"{% for a in b %}{% endfor %}", "{% for a in b %}{% endfor %}{% endfor %}"},
           {"{# a #}", "{# a }"},
           {"{ a }", "{{"},
           {"{{ (a) }}", "{{ (a }}"},
           {"{{ (a) }}", "{{ a) }}"},
           {"{{ a['b'] }}", "{{ a['b'} }}"},
           {"{{ 'a' }}", "{{ 'a }}"},
           {"{% if a %}{% else %}{% endif %}", "{% if a %}{% otherwise %}{% endif %}"},
           {"{% if a %}{% elif b %}{% endif %}", "{% %}"},
       })) {
    ExpectLineBetween(sound, unsound);
  }
}

TEST_F(Templates, NameNothingOfTheEngine) {
  for (const auto& [sound, unsound] : std::to_array<std::array<std::string, 2>>({
           {"{{ a.b_c }}", "{{ a.b__c }}"},
           {"{{ a.rm }}", "{{ a.mro }}"},
           {"{{ a.b }}", "{{ a._b }}"},
           {"{{ a.function }}", "{{ a.func_code }}"},
           {"{{ a['role'] }}", "{{ a['mro'] }}"},
           {"{{ a['b'] }}", "{{ a['_b'] }}"},
           {"{{ a[b.c] }}", "{{ a[b.gi_frame] }}"},
           {"{{ range }}", "{{ range(1) }}"},
           {"{{ raise_exception('a') }}", "{{ raise_exceptions('a') }}"},
           {"{{ a.strip() }}", "{{ a.format() }}"},
           {"{{ a.items() }}", "{{ items() }}"},
           {"{{ a | trim }}", "{{ a | attr }}"},
           {"{{ a | tojson(indent=4) }}", "{{ a | map(b) }}"},
           {"{{ looped }}", "{{ lipsum }}"},
           {"{{ a[b] }}", "{{ a[bos_token] }}"},
           {"{{ a[loops] }}", "{{ a[loop] }}"},
           {"{% set a = token %}", "{% set a = eos_token %}"},
           {"{% for a in b %}{% endfor %}", "{% for a in self.b %}{% endfor %}"},
           {"{{ strftime_now(a) }}", "{% set a = strftime_now(b) %}"},
       })) {
    ExpectLineBetween(sound, unsound);
  }
}

TEST_F(Templates, MakeNoTextsThatGrowOrLead) {
  for (const auto& [sound, unsound] : std::to_array<std::array<std::string, 2>>({
           {"{% set a = b %}", "{% set a = 'b' %}"},
           {"{% set a = b %}", "{% set a %}"},
           {"{% set a = b %}", "{% set a = b = c %}"},
           {"{% for a in b %}{% endfor %}", "{% for a in 'b' %}{% endfor %}"},
           {"{% if a %}{% endif %}", "{% if a + b %}{% endif %}"},
           {"{{ a + b }}", "{{ a * b }}"},
           {"{{ a + b }}", "{{ + a }}"},
           {"{{ 'a' + 'b' }}", "{{ 'a' 'b' }}"},
           {"{{ 'a_b' }}", "{{ 'a_' }}"},
           {"{{ 'a_b' }}", "{{ '_b' }}"},
           {"{{ 'a_b' }}", "{{ 'a__b' }}"},
           {"{{ 'a\\n' }}", "{{ 'a\\t' }}"},
           {"{{ 'a~' }}", "{{ 'a\x7F' }}"},
           {"{{ a[0] }}", "{{ 'a'[0] }}"},
           {"{{ a[0] }}", "{{ [0] }}"},
           {"{{ a[1:-1] }}", "{{ a[1:b] }}"},
           {"{{ 1 }}", "{{ 1.5 }}"},
           {"{{ not a }}", "{{ not not a }}"},
           {"{{ a != b }}", "{{ a ! b }}"},
           {"{{ a == b }}", "{{ a = b }}"},
           {"{{ a }}", "{{ a % b }}"},
       })) {
    ExpectLineBetween(sound, unsound);
  }
}

TEST_F(Templates, AreAtMostSixtyFour) {
  std::vector<std::string> keys;
  for (int i = 0; i < 65; ++i) keys.push_back("tokenizer.chat_template.t" + std::to_string(i));
  Entries entries;
  for (const std::string& key : keys) entries.push_back(Text(key, "a"));
  const Entry last = entries.back();
  entries.pop_back();
  const Entry before = entries.back();
  ExpectDroppedToBeSure(entries, last);
  entries.pop_back();
  ExpectKept(entries, before);
}

}  // namespace
}  // namespace ggufgate::mutate
