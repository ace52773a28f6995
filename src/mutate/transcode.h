#pragma once

#include <cstdint>

#include "bytes/bytes.h"
#include "mutate/draft.h"
#include "mutate/scratch.h"

namespace ggufgate::mutate {

// Transcode gives a value in another encoding, in scratch memory: numbers swapped, lengths and
// counts widened or narrowed. The value is whole (SizeOfValue). Nothing of it is left when scratch
// is used up, or when it holds arrays of arrays, which no sound file has.
[[nodiscard]] Bytes Transcode(std::uint32_t type, Bytes value, Encoding from, Encoding to,
                              Scratch& scratch);

}  // namespace ggufgate::mutate
