#pragma once

// The fast tests of BlockScanner: is there any fault in these bytes? Each test is a pass without
// branches that accumulates evidence and checks it once. Internal to this module.
//
// A pattern selects the bits of bytes that matter. It repeats over the bytes, and both begin at the
// start of a block; the sizes of both are multiples of kKernelBytes. Passes are fastest if the
// bytes are a multiple of kPatternRepeats patterns.

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

inline constexpr std::size_t kKernelBytes = 64;  // the widest vector
inline constexpr std::size_t kPatternRepeats = 4;

// True when a byte, masked by the pattern, is `threshold` or more.
[[nodiscard]] bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold);

// The same, or true if a byte is 0x80 where `codes` is 0xFF (it is 0 elsewhere).
[[nodiscard]] bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold,
                                        Bytes codes);

// True when a pair of bytes, masked and read as 16 bits in the machine's byte order, is `threshold`
// or more.
[[nodiscard]] bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold);

// True when a byte has both bits 2n and 2n+1 set, for a bit 2n that is set in `doubles`, or
// AnyByteReaches.
[[nodiscard]] bool AnyDoubleBitOrByte(Bytes bytes, Bytes doubles, Bytes pattern,
                                      std::uint8_t threshold);

// StridedTest checks one word of each block. It is for blocks so large that most bytes can be
// skipped. The numbers are in the machine's byte order.
struct StridedTest {
  std::size_t offset = 0;
  std::size_t width = 1;    // bytes of the word: 1, 4 or 8
  std::uint64_t mask = 0;   // a fault has these bits set: all of them, or all in one byte
  std::uint64_t carry = 0;  // the lowest of them in each byte; unused in a word of 8 bytes
};

// True when a block has all bits of the mask set. `bytes` consists of whole blocks.
[[nodiscard]] bool AnyFieldAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test);

}  // namespace ggufgate
