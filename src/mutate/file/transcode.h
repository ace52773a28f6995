#pragma once

#include <cstdint>

#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Transcode returns a value in another encoding, in the arena: it swaps numbers, and widens or
// narrows lengths and counts. The value must be complete (SizeOfValue). It returns an empty value
// if the arena is full, and for arrays of arrays, which valid files do not have.
[[nodiscard]] Bytes Transcode(std::uint32_t type, Bytes value, Encoding from, Encoding to,
                              Arena& arena);

}  // namespace ggufgate::mutate
