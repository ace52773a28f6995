// The pass over large blocks: one load per hundred bytes, which vectors cannot speed up.

#include <cstring>

#include "bytes/bytes.h"
#include "scan/kernels.h"

namespace ggufgate {
namespace {

// AnyInBlocks combines the results of `evidence` for the word of each block.
template <typename Word, typename Evidence>
Word AnyInBlocks(Bytes bytes, std::size_t block_bytes, std::size_t offset, Evidence evidence) {
  std::size_t blocks = bytes.size() / block_bytes;
  Word even = 0;
  Word odd = 0;
  GGUFGATE_AUDITED_BEGIN  // the word is inside each of the whole blocks
      const std::uint8_t* at = bytes.data() + offset;
  const auto look = [&](std::size_t block) {
    Word word = 0;
    std::memcpy(&word, at + block * block_bytes, sizeof(Word));
    return static_cast<Word>(evidence(word));
  };
  for (; blocks >= 4; blocks -= 4, at += 4 * block_bytes) {
    even |= look(0);
    odd |= look(1);
    even |= look(2);
    odd |= look(3);
  }
  for (; blocks > 0; --blocks, at += block_bytes) even |= look(0);
  GGUFGATE_AUDITED_END
  return even | odd;
}

// AnyCarry tests without a comparison: if all bits of a mask are set, adding the lowest one carries
// into the bit above.
template <typename Word>
bool AnyCarry(Bytes bytes, std::size_t block_bytes, const StridedTest& test) {
  const auto mask = static_cast<Word>(test.mask);
  const auto carry = static_cast<Word>(test.carry);
  const Word any = AnyInBlocks<Word>(bytes, block_bytes, test.offset, [=](Word word) {
    return static_cast<Word>((word & mask) + carry);
  });
  return (any & static_cast<Word>(mask + carry)) != 0;
}

}  // namespace

bool AnyFieldAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test) {
  if (test.width == 1) return AnyCarry<std::uint8_t>(bytes, block_bytes, test);
  if (test.width == 4) return AnyCarry<std::uint32_t>(bytes, block_bytes, test);
  return AnyInBlocks<std::uint64_t>(bytes, block_bytes, test.offset,
                                    [mask = test.mask](std::uint64_t word) {
                                      return static_cast<std::uint64_t>((word & mask) == mask);
                                    }) != 0;
}

}  // namespace ggufgate
