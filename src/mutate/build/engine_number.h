#pragma once

#include <cstddef>
#include <cstdint>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// EngineNumber returns `number` after the engine's mutator changed its 4 or 8 bytes. The engine
// knows the numbers that the target compares with. Without an engine it returns a boundary
// (draw.h).
[[nodiscard]] std::uint64_t EngineNumber(MutationContext& context, std::uint64_t number,
                                         std::size_t size);

}  // namespace ggufgate::mutate
