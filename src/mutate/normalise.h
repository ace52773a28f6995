#pragma once

#include "mutate/draft.h"
#include "mutate/scratch.h"

namespace ggufgate::mutate {

// Normalise brings all metadata values to the encoding of a sound file: little-endian, words of 8
// bytes. A value that has none, an array of arrays for one, goes. Tensor data stay as they are.
void Normalise(Draft& draft, Scratch& scratch);

}  // namespace ggufgate::mutate
