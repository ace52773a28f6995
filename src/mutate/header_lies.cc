// Lies about magic, version and counts.

#include "mutate/mutations.h"

namespace ggufgate::mutate {

bool LieMagic(Bench& bench) {
  if (!bench.Write()) return false;
  const std::uint64_t at = bench.random.Below(4);
  bench.Put<std::uint8_t>(
      at, static_cast<std::uint8_t>(bench.Get<std::uint8_t>(at) ^ 1U << bench.random.Below(8)));
  bench.lie_at = 0;
  return true;
}

bool LieTensorCountMore(Bench& bench) {
  if (!bench.Write()) return false;
  const std::uint64_t least = (bench.placement.size - 24) / 24 + 1;
  bench.Put<std::uint64_t>(Placement::kTensorCountAt, bench.random.Between(least, UINT64_MAX));
  return true;
}

}  // namespace ggufgate::mutate
