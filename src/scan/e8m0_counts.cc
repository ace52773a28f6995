#include "scan/e8m0_counts.h"

#include "bytes/byte_order.h"

namespace ggufgate {

E8M0Counts CountE8M0OneByOne(Bytes blocks) {
  constexpr std::size_t kBlockBytes = 17;
  constexpr std::uint64_t kFours = 0x4444'4444'4444'4444;
  E8M0Counts counts;
  for (; blocks.size() >= kBlockBytes; blocks = blocks.subspan(kBlockBytes)) {
    const unsigned scale = blocks.front();
    const std::uint64_t any_two = scale == 253 ? 0 : ~std::uint64_t{0};
    // This works in any byte order, because the bits of a code stay together.
    const auto a = Load<std::uint64_t>(blocks.subspan(1), ByteOrder::kLittle);
    const auto b = Load<std::uint64_t>(blocks.subspan(9), ByteOrder::kLittle);
    const std::uint64_t large = ((a & (a << 1 | any_two)) | (b & (b << 1 | any_two))) & kFours;
    counts.nan += scale == 0xFF ? 1U : 0U;
    counts.overflows += static_cast<unsigned>(large != 0) & static_cast<unsigned>(scale - 253 <= 1);
  }
  return counts;
}

#if !GGUFGATE_WITH_HIGHWAY
E8M0Counts CountE8M0(Bytes blocks) { return CountE8M0OneByOne(blocks); }
#endif

}  // namespace ggufgate
