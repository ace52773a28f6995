#pragma once

#include <string_view>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// TemplateText writes a chat template of at most 1 KiB into the arena: all that the language
// has, in an order that mostly makes sense, harmless or not. Empty where the arena is used up.
// Names of blocks, filters, tests and methods: the documentation of Jinja 3.1 and of Python's str.
[[nodiscard]] std::string_view TemplateText(MutationContext& context);

// TemplatePart writes so a few pieces, of at most 384 bytes, that may stand in any template.
[[nodiscard]] std::string_view TemplatePart(MutationContext& context);

}  // namespace ggufgate::mutate
