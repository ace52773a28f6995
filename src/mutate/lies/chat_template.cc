// Chat templates that attack their engine. The attacks are of published kinds (CVE-2024-34359 and
// CVE-2026-5760: attributes of Python's objects; llama.cpp#19085, #24140 and #26387: recursion,
// nesting, ranges), in the spellings that docs/chat-templates.md describes.

#include <array>

#include "format/limits.h"
#include "mutate/build/compose.h"
#include "mutate/build/harmless_template.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kTemplateRoom = 2048;

constexpr std::string_view kKey = "tokenizer.chat_template";
constexpr std::string_view kNamedKey = "tokenizer.chat_template.tool_use";

// SetTemplate sets a harmless template with an attack before or after it.
bool SetTemplate(MutationContext& context, std::string_view attack) {
  const std::string_view harmless = HarmlessTemplate(context);
  const std::string_view text = context.random.OneIn(2) ? Joined(context.arena, {harmless, attack})
                                                        : Joined(context.arena, {attack, harmless});
  const std::string_view key = context.random.OneIn(4) ? kNamedKey : kKey;
  return TellEntry(context, TextEntry(context.arena, key, text), Part::kValue);
}

template <std::size_t kCount>
bool SetOneOf(MutationContext& context, const std::array<std::string_view, kCount>& attacks) {
  return MakeRoom(context, kTemplateRoom) && SetTemplate(context, context.random.Pick(attacks));
}

// SetRepeated sets a template of many openings, and as many closings.
bool SetRepeated(MutationContext& context, std::string_view begin, std::string_view opening,
                 std::string_view middle, std::string_view closing, std::string_view end) {
  const std::uint64_t count = context.random.Between(65, 80);
  const std::uint64_t size =
      begin.size() + count * (opening.size() + closing.size()) + middle.size() + end.size();
  if (!MakeRoom(context, kTemplateRoom + size)) return false;
  MutableBytes text = context.arena.Take(size);
  if (text.empty()) return false;
  const std::string_view whole = AsText(text);
  const auto put = [&](std::string_view part) {
    std::ranges::copy(AsBytes(part), text.begin());
    text = text.subspan(part.size());
  };
  put(begin);
  for (std::uint64_t i = 0; i < count; ++i) put(opening);
  put(middle);
  for (std::uint64_t i = 0; i < count; ++i) put(closing);
  put(end);
  return SetTemplate(context, whole);
}

}  // namespace

bool LieTemplateType(MutationContext& context) {
  if (!MakeRoom(context, kTemplateRoom)) return false;
  const std::string_view key = context.random.OneIn(2) ? kNamedKey : kKey;
  return TellEntry(context, MisshapenEntry(context, key, KeyShape::kString, 2), Part::kType);
}

bool LieTemplateUnclosed(MutationContext& context) {
  // An unclosed part must be at the end.
  constexpr std::array<std::string_view, 6> kOpen = {
      "{{ messages", "{% if messages", "{# never", "{% raw %}{{ x }}", "{{ 'text }}", "{%"};
  if (!MakeRoom(context, kTemplateRoom)) return false;
  const std::string_view text =
      Joined(context.arena, {HarmlessTemplate(context), context.random.Pick(kOpen)});
  return TellEntry(context, TextEntry(context.arena, kKey, text), Part::kValue);
}

bool LieTemplateBracket(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 5>{
                               "{{ (messages] }}", "{{ messages) }}", "{{ messages[0} }}",
                               "{% if (messages] %}{% endif %}", "{{ ([)] }}"});
}

bool LieTemplateName(MutationContext& context) {
  return SetOneOf(
      context,
      std::array<std::string_view, 8>{
          "{{ messages.__class__ }}", "{{ messages['__class__'].__mro__ }}",
          "{{ ''.__class__.__base__.__subclasses__() }}",
          "{% for c in ().__class__.__bases__[0].__subclasses__() %}{{ c }}{% endfor %}",
          "{% set x = messages.__init__.__globals__ %}", "{{ self.__init__ }}",
          "{{ messages|map(attribute='__class__')|list }}", "{{ raise_exception.__globals__ }}"});
}

bool LieTemplateEscaped(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 5>{R"({{ messages['\x5f_class__'] }})",
                                                           R"({{ x['\137\137class\137\137'] }})",
                                                           R"({{ x['\u005f_class_\u005f'] }})",
                                                           R"({{ x['\N{LOW LINE}_class__'] }})",
                                                           R"({{ '\x5f\x5finit\x5f\x5f' }})"});
}

bool LieTemplateAssembled(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 7>{
                               "{{ x['__cl' ~ 'ass__'] }}", "{{ x['__cl' 'ass__'] }}",
                               "{% set u = '_' %}{{ x[u + u + 'class' + u + u] }}",
                               "{{ x['__ssalc__'[::-1]] }}", "{{ x['__%s__' % 'class'] }}",
                               "{{ x['__CLASS__'|lower] }}", "{{ x[['__cl', 'ass__']|join] }}"});
}

bool LieTemplateAttr(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 4>{
                               "{{ messages|attr('x') }}", "{{ ''|attr('__class__') }}",
                               "{{ messages|map('attr', 'x')|list }}", "{{ (x|attr)('y') }}"});
}

bool LieTemplateHelper(MutationContext& context) {
  return SetOneOf(context,
                  std::array<std::string_view, 4>{"{{ lipsum.func }}", "{{ lipsum() }}",
                                                  "{{ cycler.next }}", "{% set j = joiner %}"});
}

bool LieTemplateFormat(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 3>{
                               "{{ '{0.__class__}'.format(messages) }}",
                               "{{ '{x.__init__.__globals__}'.format(x=messages) }}",
                               "{{ '{0[__class__]}'.format(x) }}"});
}

// Python normalises a name (NFKC), so each of these equals an ASCII name.
bool LieTemplateForeignName(MutationContext& context) {
  return SetOneOf(context,
                  std::array<std::string_view, 8>{
                      "{% set \u00AA = 1 %}", "{{ x|map(\uFF41ttribute='b')|list }}",
                      "{% for \u00BA in messages %}{% endfor %}",
                      "{% macro f(\u017F) %}{{ s }}{% endmacro %}", "{{ namespace(\u00AA=1) }}",
                      "{% with \U0001D41A = 1 %}{% endwith %}", "{% set \uFF42 %}c{% endset %}",
                      "{% macro f() %}{% endmacro %}{% call(\u00AA) f() %}{% endcall %}"});
}

bool LieTemplateRecursion(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 3>{
                               "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                               "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}"
                               "{% endmacro %}{{ a() }}",
                               "{% macro m(x) %}{% if true %}{{ m(x) }}{% endif %}{% endmacro %}"});
}

bool LieTemplateRounds(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 6>{
                               "{% for i in range(1000000000) %}x{% endfor %}",
                               "{{ range(0, 9999999, 2)|list }}", "{{ 'x' * 2000000 }}",
                               "{% for i in range(2000) %}{% for j in range(2000) %}{% endfor %}"
                               "{% endfor %}",
                               "{{ [0] * 1000001 }}", "{{ range(-5000000, 0)|length }}"});
}

bool LieTemplateNesting(MutationContext& context) {
  switch (context.random.Below(5)) {
    case 0:
      return SetRepeated(context, "{{ ", "(", "x", ")", " }}");
    case 4:  // each link exceeds the limit on a chain of that number
      return SetRepeated(context, "{{ x", "|a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q", "", "", " }}");
    case 1:
      return SetRepeated(context, "", "{% if x %}", "", "{% endif %}", "");
    case 2:
      return SetRepeated(context, "{{ ", "not ", "x", "", " }}");
    default:
      return SetRepeated(context, "{{ ", "[", "0", "]", " }}");
  }
}

bool LieTemplateOwnHeld(MutationContext& context) {
  return SetOneOf(context, std::array<std::string_view, 5>{
                               "{% set o = [] %}{% set p = o.append(o) %}",
                               "{% set o = {} %}{% set p = o.update({'k': [o]}) %}",
                               "{% set o = namespace() %}{% set o.x = o %}{{ o|tojson }}",
                               "{% set o = [] %}{% set p = o %}{{ p.append(o) }}",
                               "{% set o = namespace(l=[]) %}{{ o.l.append(o) }}"});
}

bool LieTemplateDivisor(MutationContext& context) {
  return SetOneOf(context,
                  std::array<std::string_view, 6>{
                      "{{ 4 is divisibleby(0) }}", "{{ [1]|select('divisibleby', 0)|list }}",
                      "{{ 1 % 0 }}", "{{ 7 // 0 }}", "{{ 4 is divisibleby(messages|length) }}",
                      "{{ range(9223372036854775800, 9223372036854775807, 10)|list }}"});
}

bool LieTemplateCost(MutationContext& context) {
  return SetOneOf(
      context, std::array<std::string_view, 7>{
                   "{{ '%*d' % (9, 1) }}", "{{ '{:{}}'.format(1, 9) }}",
                   "{{ messages|tojson(indent=1000000) }}", "{{ 5|round(-1000000) }}",
                   "{% set o = namespace(s='aa') %}{% for i in range(40) %}"
                   "{% set o.s = o.s.replace('a', 'aa') %}{% endfor %}",
                   "{% macro o() %}{% for i in range(9000) %}x{% endfor %}{% endmacro %}"
                   "{% for i in range(9000) %}{{ o() }}{% endfor %}",
                   "{% macro o(n) %}{% if n %}{{ o(n - 1) }}{% endif %}{% endmacro %}{{ o(9) }}"});
}

bool LieTemplateLong(MutationContext& context) {
  constexpr std::uint64_t kLongest = Limits{}.template_bytes;
  if (!MakeRoom(context, kLongest + kTemplateRoom)) return false;
  const MutableBytes text = context.arena.Take(kLongest + 1);
  if (text.empty()) return false;
  std::ranges::fill(text, static_cast<std::uint8_t>(context.random.Between('a', 'z')));
  return TellEntry(context, TextEntry(context.arena, kKey, AsText(text)), Part::kValue);
}

}  // namespace ggufgate::mutate
