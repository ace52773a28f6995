#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Havoc changes written bytes without regard for their meaning: with the engine's own mutator where
// there is one, else with one to four random changes. The file may grow up to the room there is.
void Havoc(MutationContext& context);

}  // namespace ggufgate::mutate
