#pragma once

#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Normalise brings all metadata values to the encoding of a sound file: little-endian, words of 8
// bytes. A value that has none, an array of arrays for one, goes. Tensor data stay as they are.
void Normalise(Draft& draft, Arena& arena);

}  // namespace ggufgate::mutate
