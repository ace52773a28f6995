#pragma once

// Numbers drawn from an input, for what a target does now one way and now another.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::fuzz {

// SeedOf is a number made of the last bytes of an input, so that an engine can choose it.
[[nodiscard]] std::uint64_t SeedOf(Bytes input);

// DrawOf is a number made of all bytes of an input. Most files end in the zeros of their padding:
// by SeedOf they would all be told the same lie.
[[nodiscard]] std::uint64_t DrawOf(Bytes input);

}  // namespace ggufgate::fuzz
