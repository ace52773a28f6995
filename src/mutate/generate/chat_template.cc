// Chat templates of a small grammar, all of which IsHarmlessTemplate vouches for.

#include <array>

#include "mutate/build/compose.h"
#include "mutate/generate/generate.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::string_view, 6> kOpening = {
    "",
    "{{ bos_token }}",
    "{{- bos_token -}}",
    "{# a conversation #}",
    "{% if tools %}{{ tools | tojson }}{% endif %}",
    "You are a helpful assistant.\n",
};
constexpr std::array<std::string_view, 3> kLoops = {
    "{% for message in messages %}",
    "{%- for message in messages -%}",
    "{% for message in messages %}{% if loop.first and message.role != 'system' %}"
    "{{ '<|system|>\\n' }}{% endif %}",
};
constexpr std::array<std::string_view, 8> kTurns = {
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}",
    "{{ message.content }}",
    "{{- message.content | trim -}}",
    "{% if message['role'] == 'user' %}[INST] {{ message['content'] }} [/INST]"
    "{% else %}{{ message['content'] }}{{ eos_token }}{% endif %}",
    "{%- if message.tool_calls is defined -%}{%- for tool in message.tool_calls -%}"
    "{{ tool.function.name }}{{ tool.function.arguments | tojson }}{%- endfor -%}{%- endif -%}",
    "{% if (message.role == 'system') != (loop.index0 == 0) %}"
    "{{ raise_exception('a system message comes first') }}{% endif %}",
    "### {{ message['role'] ~ ':' }}\n",
    "{ \"plain\": { } }",
};
constexpr std::array<std::string_view, 4> kClosing = {
    "",
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "{%- if add_generation_prompt and not tools -%}<|assistant|>{%- endif -%}",
    "{{ eos_token }}",
};

}  // namespace

std::string_view GenerateTemplate(MutationContext& context) {
  Random& random = context.random;
  if (random.OneIn(8)) return kTurns.back();  // no code at all
  const std::string_view second = random.OneIn(2) ? random.Pick(kTurns) : std::string_view();
  return Joined(context.arena, {random.Pick(kOpening), random.Pick(kLoops), random.Pick(kTurns),
                                second, "{% endfor %}", random.Pick(kClosing)});
}

}  // namespace ggufgate::mutate
