#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// CountZeros returns how many of `bytes` are 0. Its speed is limited by memory only.
[[nodiscard]] std::uint64_t CountZeros(Bytes bytes);

}  // namespace ggufgate
