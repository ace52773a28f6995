#include "mutate/clean.h"

#include <algorithm>

namespace ggufgate::mutate {
namespace {

// With these bits alone no number format of the tensor types is all ones in its exponent.
constexpr std::uint8_t kHarmless = 0x3B;

}  // namespace

bool IsClean(std::uint32_t /*type*/, Bytes data) {
  return std::ranges::all_of(data, [](std::uint8_t byte) { return (byte & ~kHarmless) == 0; });
}

void MakeClean(std::uint32_t /*type*/, MutableBytes data) {
  for (std::uint8_t& byte : data) byte &= kHarmless;
}

}  // namespace ggufgate::mutate
