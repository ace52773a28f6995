#pragma once

// The fast tests behind BlockScanner: is anything wrong in these bytes? Each is a pass without
// branches that gathers evidence and looks at it once. Not for users of the library.
//
// A pattern says which bits of which bytes matter. It is repeated over the bytes, and both begin
// at the start of a block; its size is a multiple of kPatternGranule. The number of bytes is a
// multiple of kKernelBytes.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

inline constexpr std::size_t kKernelBytes = 64;  // the widest vector there is
inline constexpr std::size_t kPatternGranule = 4 * kKernelBytes;

// True when a byte, masked by the pattern, is `threshold` or more.
[[nodiscard]] bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold);

// The same, or a byte under `codes` (0xFF where it counts, else 0) is 0x80.
[[nodiscard]] bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold,
                                        Bytes codes);

// True when a pair of bytes, masked and read as the machine reads 16 bits, is `threshold` or more.
[[nodiscard]] bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold);

// True when a byte has both bits 2n and 2n+1 set, for a bit 2n that is set in the pattern.
[[nodiscard]] bool AnyDoubleBit(Bytes bytes, Bytes pattern);

// StridedTest looks at one word of each block, when blocks are so large that most bytes need not be
// looked at. The masks are in the machine's byte order, for a load of `width` (2, 4 or 8) bytes.
struct StridedTest {
  std::size_t offset = 0;
  std::size_t width = 2;
  std::uint64_t mask = 0;
  std::uint64_t other_mask = 0;  // a second field in the same word; the same where there is none
};

// True when in some block all bits of one of the masks are set. `bytes` is whole blocks.
[[nodiscard]] bool AnyFieldAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test);

}  // namespace ggufgate
