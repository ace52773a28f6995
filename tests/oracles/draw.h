#pragma once

// Numbers drawn from an input, for choices of a fuzz target.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate::fuzz {

// SeedOf returns a number made of the last bytes of an input, so that an engine can choose it.
[[nodiscard]] std::uint64_t SeedOf(Bytes input);

// DrawOf returns a number made of all bytes of an input. Most files end in the zeros of their
// padding: with SeedOf, they would all get the same lie.
[[nodiscard]] std::uint64_t DrawOf(Bytes input);

}  // namespace ggufgate::fuzz
