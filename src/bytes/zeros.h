#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// CountZeros is how many of `bytes` are 0. Runs at the speed of memory.
[[nodiscard]] std::uint64_t CountZeros(Bytes bytes);

}  // namespace ggufgate
