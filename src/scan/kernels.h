#pragma once

// The fast tests behind BlockScanner: is anything wrong in these bytes? Each is a pass without
// branches that gathers evidence and looks at it once. Not for users of the library.
//
// A pattern says which bits of which bytes matter. It is repeated over the bytes, and both begin
// at the start of a block; the sizes of both are multiples of kKernelBytes. Passes are fastest when
// the bytes are a multiple of kPatternRepeats patterns.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

inline constexpr std::size_t kKernelBytes = 64;  // the widest vector there is
inline constexpr std::size_t kPatternRepeats = 4;

// True when a byte, masked by the pattern, is `threshold` or more.
[[nodiscard]] bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold);

// The same, or a byte under `codes` (0xFF where it counts, else 0) is 0x80.
[[nodiscard]] bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold,
                                        Bytes codes);

// True when a pair of bytes, masked and read as the machine reads 16 bits, is `threshold` or more.
[[nodiscard]] bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold);

// True when a byte has both bits 2n and 2n+1 set, for a bit 2n that is set in `doubles`, or
// AnyByteReaches.
[[nodiscard]] bool AnyDoubleBitOrByte(Bytes bytes, Bytes doubles, Bytes pattern,
                                      std::uint8_t threshold);

// StridedTest looks at one word of each block, when blocks are so large that most bytes need not be
// looked at. The numbers are in the machine's byte order.
struct StridedTest {
  std::size_t offset = 0;
  std::size_t width = 1;    // bytes of the word: 1, 4 or 8
  std::uint64_t mask = 0;   // a fault has these bits set: all, or all that lie in one byte
  std::uint64_t carry = 0;  // the lowest of them in each byte; unused in a word of 8 bytes
};

// True when some block has the bits of the mask set. `bytes` is whole blocks.
[[nodiscard]] bool AnyFieldAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test);

}  // namespace ggufgate
