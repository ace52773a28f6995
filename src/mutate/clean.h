#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// IsClean tells whether no value and no scale of little-endian tensor data is NaN or infinite.
// `type` is a known tensor type, `data` whole blocks.
[[nodiscard]] bool IsClean(std::uint32_t type, Bytes data);

// MakeClean makes it so, changing as little as that takes.
void MakeClean(std::uint32_t type, MutableBytes data);

}  // namespace ggufgate::mutate
