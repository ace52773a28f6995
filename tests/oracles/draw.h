#pragma once

// Numbers derived from an input, for targets that vary their behaviour.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::fuzz {

// SeedOf returns a number from the last bytes of an input, so that an engine can choose it.
[[nodiscard]] std::uint64_t SeedOf(Bytes input);

// DrawOf returns a number from all bytes of an input. Most files end in the zeros of their padding,
// so SeedOf would give all of them the same lie.
[[nodiscard]] std::uint64_t DrawOf(Bytes input);

}  // namespace ggufgate::fuzz
