#include "mutate/build/harmless_template.h"

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongest = std::size_t{16} << 10;

// A template has an opening, a loop with one or two turns in it, and a closing.
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
constexpr std::array<std::string_view, 9> kTurns = {
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
    // As in corpus/valid/sample-llama.gguf.
    "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
    "{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}{% endif "
    "%}",
    "{ \"plain\": { } }",
};
constexpr std::string_view kEndOfLoop = "{% endfor %}";
constexpr std::array<std::string_view, 4> kClosing = {
    "",
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    "{%- if add_generation_prompt and not tools -%}<|assistant|>{%- endif -%}",
    "{{ eos_token }}",
};

// Strip removes the longest of `words` that `text` begins with; false if it begins with none.
template <std::size_t kCount>
bool Strip(const std::array<std::string_view, kCount>& words, std::string_view& text) {
  const std::string_view* longest = nullptr;
  for (const std::string_view& word : words) {
    const bool longer = longest == nullptr || word.size() > longest->size();
    if (longer && text.starts_with(word)) longest = &word;
  }
  if (longest == nullptr) return false;
  text.remove_prefix(longest->size());
  return true;
}

bool HasCode(std::string_view text) {
  constexpr std::array<std::string_view, 3> kBegin = {"{{", "{%", "{#"};
  return std::ranges::any_of(kBegin,
                             [&](std::string_view begin) { return text.find(begin) != text.npos; });
}

}  // namespace

std::string_view HarmlessTemplate(MutationContext& context) {
  Random& random = context.random;
  if (random.OneIn(8)) return kTurns.back();  // no code
  const std::string_view second = random.OneIn(2) ? random.Pick(kTurns) : std::string_view();
  return Joined(context.arena, {random.Pick(kOpening), random.Pick(kLoops), random.Pick(kTurns),
                                second, kEndOfLoop, random.Pick(kClosing)});
}

bool IsHarmlessTemplate(std::string_view text) {
  if (text.size() > kLongest) return false;
  if (!HasCode(text)) return true;
  if (!Strip(kOpening, text) || !Strip(kLoops, text) || !Strip(kTurns, text)) return false;
  (void)Strip(kTurns, text);
  if (!text.starts_with(kEndOfLoop)) return false;
  return std::ranges::find(kClosing, text.substr(kEndOfLoop.size())) != kClosing.end();
}

}  // namespace ggufgate::mutate
