#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// E8M0Counts says how many MXFP4 blocks have a scale that is NaN, and how many one with which a
// code of theirs is too large: with 2^126 one of 6 or more (8 and 12 halves), with 2^127 one of 4
// or more. Bit 3 of a code is its sign.
struct E8M0Counts {
  std::uint64_t nan = 0;
  std::uint64_t overflows = 0;
};

// CountE8M0 takes about as long whatever the blocks are.
[[nodiscard]] E8M0Counts CountE8M0(Bytes blocks);

// CountE8M0OneByOne is the same without vectors, at two to three times the cost.
[[nodiscard]] E8M0Counts CountE8M0OneByOne(Bytes blocks);

}  // namespace ggufgate
