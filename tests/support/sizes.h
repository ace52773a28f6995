#pragma once

#include <cstdint>

namespace ggufgate::testing {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;  // bytes

}  // namespace ggufgate::testing
