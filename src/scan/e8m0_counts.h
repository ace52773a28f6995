#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// E8M0Counts counts MXFP4 blocks whose scale is NaN, and blocks whose scale is too large for one of
// their codes. With 2^126, a code of 6 or more (8 and 12 halves) is too large; with 2^127, a code
// of 4 or more. Bit 3 of a code is its sign.
struct E8M0Counts {
  std::uint64_t nan = 0;
  std::uint64_t overflows = 0;
};

// CountE8M0 takes about the same time for any blocks.
[[nodiscard]] E8M0Counts CountE8M0(Bytes blocks);

// CountE8M0OneByOne does the same without vectors, two to three times slower.
[[nodiscard]] E8M0Counts CountE8M0OneByOne(Bytes blocks);

}  // namespace ggufgate
