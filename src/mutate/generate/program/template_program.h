#pragma once

// Jinja programs that render, for readers of chat templates and engines that run them.

#include <cstdint>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// TemplateProgram is a chat template in the language of Jinja2 3.1, with the names that llama.cpp
// and transformers define (messages, tools, bos_token, …). A sandboxed Jinja2 with the extension
// loopcontrols renders it without an error, in about ten thousand steps at most. This holds for any
// conversation with at least one message, if `role` and `content` are texts.
struct TemplateProgram {
  std::string_view text;
  std::string_view rule;  // the rule that it breaks; empty: harmless
};

inline constexpr std::size_t kTemplateProgramRoom = 4096;     // enough for all programs
inline constexpr std::size_t kTemplateProgramChoices = 1000;  // bytes; few programs use all of them

enum class TemplatePlan : std::uint8_t { kHarmless, kBroken };

// MakeTemplateProgram writes a program into `room`. Each byte of `choices` selects one of a few
// continuations; after the last byte the program ends soon. So a change of a byte changes the
// program, and an engine without knowledge of Jinja can mutate it.
[[nodiscard]] TemplateProgram MakeTemplateProgram(Bytes choices, TemplatePlan plan,
                                                  MutableBytes room);

// TemplateProgramOf draws the choices from a seed.
[[nodiscard]] TemplateProgram TemplateProgramOf(std::uint64_t seed, TemplatePlan plan,
                                                MutableBytes room);

}  // namespace ggufgate::mutate
