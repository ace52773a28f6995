#pragma once

#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Normalise brings all metadata values to the encoding of a sound file: little-endian, words of 8
// bytes. Entries whose values cannot be brought there, arrays of arrays for one, are dropped.
// Tensor data stay as they are.
void Normalise(Draft& draft, Arena& arena);

}  // namespace ggufgate::mutate
