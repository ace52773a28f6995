#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Havoc changes written bytes without regard for what they are: by the engine's own mutator where
// there is one, else by a few random changes. The size may change within the room. Something always
// changes where there is room for a byte.
void Havoc(MutationContext& context);

}  // namespace ggufgate::mutate
