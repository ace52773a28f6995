#include "dequantize/swap_numbers.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ggufgate {
namespace {

struct Numbers {
  TensorType type;
  std::size_t offset;  // in the block
  std::size_t bytes;   // of one number
  std::size_t count;
};

constexpr std::array kNumbers = {
#define GGUFGATE_NUMBERS(type, offset, bytes, count) \
  Numbers{TensorType::k##type, offset, bytes, count},
#include "dequantize/byte_order.def"
#undef GGUFGATE_NUMBERS
};

}  // namespace

void SwapNumbers(const TensorTypeInfo& info, MutableBytes blocks) {
  for (const Numbers& numbers : kNumbers) {
    if (numbers.type != info.type) continue;
    for (std::size_t block = 0; block < blocks.size(); block += info.block_bytes) {
      for (std::size_t i = 0; i < numbers.count; ++i) {
        const std::size_t at = block + numbers.offset + i * numbers.bytes;
        std::ranges::reverse(blocks.subspan(at, numbers.bytes));
      }
    }
  }
}

}  // namespace ggufgate
