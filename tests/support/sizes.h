#pragma once

#include <cstdint>

namespace ggufgate::testing {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;  // bytes

// kFullLength: long tests run all their rounds, as in a release. Builds without the optimiser run a
// share of them.
#ifdef NDEBUG
inline constexpr bool kFullLength = true;
#else
inline constexpr bool kFullLength = false;
#endif

}  // namespace ggufgate::testing
