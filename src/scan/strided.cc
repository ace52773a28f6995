// The pass over large blocks: a load or two in a hundred bytes, which no vector makes faster.

#include <cstring>

#include "bytes/audited.h"
#include "scan/kernels.h"

namespace ggufgate {
namespace {

template <typename Word>
unsigned AllOnes(const std::uint8_t* at, Word mask, Word other_mask) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(Word));
  return static_cast<unsigned>((word & mask) == mask) |
         static_cast<unsigned>((word & other_mask) == other_mask);
}

template <typename Word>
bool AnyAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test) {
  const auto mask = static_cast<Word>(test.mask);
  const auto other_mask = static_cast<Word>(test.other_mask);
  GGUFGATE_AUDITED_BEGIN  // the field lies inside each of the whole blocks
  const std::uint8_t* at = bytes.data() + test.offset;
  unsigned even = 0;
  unsigned odd = 0;
  std::size_t blocks = bytes.size() / block_bytes;
  for (; blocks >= 2; blocks -= 2, at += 2 * block_bytes) {
    even |= AllOnes(at, mask, other_mask);
    odd |= AllOnes(at + block_bytes, mask, other_mask);
  }
  if (blocks > 0) even |= AllOnes(at, mask, other_mask);
  GGUFGATE_AUDITED_END
  return (even | odd) != 0;
}

}  // namespace

bool AnyFieldAllOnes(Bytes bytes, std::size_t block_bytes, const StridedTest& test) {
  switch (test.width) {
    case 2:
      return AnyAllOnes<std::uint16_t>(bytes, block_bytes, test);
    case 4:
      return AnyAllOnes<std::uint32_t>(bytes, block_bytes, test);
    default:
      return AnyAllOnes<std::uint64_t>(bytes, block_bytes, test);
  }
}

}  // namespace ggufgate
