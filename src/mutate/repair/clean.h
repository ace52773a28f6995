#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// IsClean tells whether no value, scale or minimum of little-endian tensor data is NaN or infinite.
// `type` is a known tensor type, `data` whole blocks. Reserved encodings, which decode to numbers,
// are clean. Some 8 bytes in a step for plain floats, one block in a step for the others.
[[nodiscard]] bool IsClean(std::uint32_t type, Bytes data);

// MakeClean makes data clean by changing one bit of each offending field, the lowest of its
// exponent, so that sign and mantissa stay. An MXFP4 scale of NaN becomes 1.
void MakeClean(std::uint32_t type, MutableBytes data);

}  // namespace ggufgate::mutate
