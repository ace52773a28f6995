#pragma once

#include <string_view>

#include "mutate/bench.h"

namespace ggufgate::mutate {

// TemplateText writes a chat template of at most 1 KiB into scratch memory: all that the language
// has, in an order that mostly makes sense, harmless or not. Empty where scratch is used up. Names
// of blocks, filters, tests and methods: the documentation of Jinja 3.1 and of Python's str.
[[nodiscard]] std::string_view TemplateText(Bench& bench);

// TemplatePart writes so a few pieces, of at most 384 bytes, that may stand in any template.
[[nodiscard]] std::string_view TemplatePart(Bench& bench);

}  // namespace ggufgate::mutate
