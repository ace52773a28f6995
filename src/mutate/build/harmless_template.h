#pragma once

#include <string_view>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// HarmlessTemplate writes a chat template of a small grammar into the arena. The gate accepts it.
// Empty if the arena is full.
[[nodiscard]] std::string_view HarmlessTemplate(MutationContext& context);

// IsHarmlessTemplate accepts templates of that grammar, and texts without code. It rejects all
// others: to check them, it would need a Jinja reader, and the mutator must not use the gate's
// reader.
[[nodiscard]] bool IsHarmlessTemplate(std::string_view text);

}  // namespace ggufgate::mutate
