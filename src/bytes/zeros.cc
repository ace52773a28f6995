#include "bytes/zeros.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ggufgate {
namespace {

// Compilers turn a step over all lanes into one vector instruction. A lane counts in one byte, so
// the counts are added up before 256.
constexpr std::size_t kLanes = 64;
constexpr std::size_t kSteps = 255;

std::uint64_t CountInLanes(Bytes bytes) {
  std::array<std::uint8_t, kLanes> lanes{};
  for (; bytes.size() >= kLanes; bytes = bytes.subspan(kLanes)) {
    const auto step = bytes.first<kLanes>();
    for (std::size_t i = 0; i < kLanes; ++i) {
      lanes[i] = static_cast<std::uint8_t>(lanes[i] + (step[i] == 0 ? 1 : 0));
    }
  }
  std::uint64_t zeros = 0;
  for (const std::uint8_t lane : lanes) zeros += lane;
  return zeros + static_cast<std::uint64_t>(std::ranges::count(bytes, std::uint8_t{0}));
}

}  // namespace

std::uint64_t CountZeros(Bytes bytes) {
  std::uint64_t zeros = 0;
  while (!bytes.empty()) {
    const Bytes stretch = bytes.first(std::min(bytes.size(), kLanes * kSteps));
    zeros += CountInLanes(stretch);
    bytes = bytes.subspan(stretch.size());
  }
  return zeros;
}

}  // namespace ggufgate
