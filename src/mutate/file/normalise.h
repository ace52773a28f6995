#pragma once

#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Normalise converts all metadata values to the encoding of valid files: little-endian, counts of 8
// bytes. It drops entries that it cannot convert, such as arrays of arrays. Tensor data do not
// change.
void Normalise(Draft& draft, Arena& arena);

}  // namespace ggufgate::mutate
