#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Havoc changes written bytes regardless of their meaning: with the engine's mutator, or without
// one by one to four random changes. The file may grow up to the available room.
void Havoc(MutationContext& context);

}  // namespace ggufgate::mutate
