#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// Limits has all limits of the gate. The defaults are those of profile `gate`.
struct Limits {
#define GGUFGATE_LIMIT(name, value, unit, reason) std::uint64_t name = value;
#include "format/limits.def"
#undef GGUFGATE_LIMIT

  friend bool operator==(const Limits&, const Limits&) = default;
};

// kDeepestArray is the upper bound of Limits::array_depth. The parser keeps one frame per level of
// nested arrays in a fixed array, so no file controls the depth.
inline constexpr std::uint64_t kDeepestArray = 16;

struct LimitInfo {
  std::string_view name;
  std::uint64_t Limits::* value;
  std::string_view unit;
  std::string_view reason;
};

// AllLimits lists the limits in the order of limits.def.
std::span<const LimitInfo> AllLimits();

}  // namespace ggufgate
