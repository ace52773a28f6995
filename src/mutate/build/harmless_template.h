#pragma once

#include <string_view>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// HarmlessTemplate writes a chat template of a small grammar into the arena, which the gate
// accepts. Empty where the arena is used up.
[[nodiscard]] std::string_view HarmlessTemplate(MutationContext& context);

// IsHarmlessTemplate accepts the templates of that grammar, and texts without code. Others are not
// vouched for: to judge them takes a reader of Jinja, and the mutator must not use that of the
// gate.
[[nodiscard]] bool IsHarmlessTemplate(std::string_view text);

}  // namespace ggufgate::mutate
