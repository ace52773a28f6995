#pragma once

// Programs in Jinja that render: for readers of chat templates and engines that run them.

#include <cstdint>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// TemplateProgram is a chat template of the language as Jinja2 3.1 has it, with the names that
// llama.cpp and transformers give to templates (messages, tools, bos_token, …). A sandboxed Jinja2
// with the extension loopcontrols renders it without an error, in at most some ten thousand steps,
// for any conversation of at least one message whose members `role` and `content` are texts.
struct TemplateProgram {
  std::string_view text;
  std::string_view rule;  // that it breaks; empty: none, it is harmless
};

inline constexpr std::size_t kTemplateProgramRoom = 4096;     // enough room for all of them
inline constexpr std::size_t kTemplateProgramChoices = 1000;  // bytes that few programs use up

enum class TemplatePlan : std::uint8_t { kHarmless, kBroken };

// MakeTemplateProgram writes a program into `room`. Each byte of `choices` decides between a few
// ways to go on, and where there are no more the program comes to its end: a change of a byte is a
// change of the program, so that an engine that knows nothing of Jinja can be given this.
[[nodiscard]] TemplateProgram MakeTemplateProgram(Bytes choices, TemplatePlan plan,
                                                  MutableBytes room);

// TemplateProgramOf draws the choices from a seed.
[[nodiscard]] TemplateProgram TemplateProgramOf(std::uint64_t seed, TemplatePlan plan,
                                                MutableBytes room);

}  // namespace ggufgate::mutate
