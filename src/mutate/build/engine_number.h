#pragma once

#include <cstddef>
#include <cstdint>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// EngineNumber is `number` as the engine's own mutator changes its 4 or 8 bytes: that one knows
// what the target compares numbers with. Without an engine it is a boundary (draw.h).
[[nodiscard]] std::uint64_t EngineNumber(MutationContext& context, std::uint64_t number,
                                         std::size_t size);

}  // namespace ggufgate::mutate
