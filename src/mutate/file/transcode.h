#pragma once

#include <cstdint>

#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Transcode returns a value in another encoding, in the arena: numbers swapped, lengths and counts
// widened or narrowed. The value is whole (SizeOfValue). Empty when the arena is used up, and for
// arrays of arrays, which no sound file has.
[[nodiscard]] Bytes Transcode(std::uint32_t type, Bytes value, Encoding from, Encoding to,
                              Arena& arena);

}  // namespace ggufgate::mutate
