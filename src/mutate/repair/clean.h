#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// IsClean returns whether little-endian tensor data have no NaN or infinite value, scale or
// minimum. `type` must be a known tensor type, and `data` whole blocks. Reserved encodings decode
// to numbers, so they are clean. It checks 8 bytes per step for plain floats, one block per step
// for other types.
[[nodiscard]] bool IsClean(std::uint32_t type, Bytes data);

// MakeClean flips one bit of each offending field, the lowest of its exponent, so that sign and
// mantissa stay. An MXFP4 scale of NaN becomes 1.
void MakeClean(std::uint32_t type, MutableBytes data);

}  // namespace ggufgate::mutate
