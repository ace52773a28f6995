#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// Limits are every bound the gate works within. The defaults are those of profile `gate`.
struct Limits {
#define GGUFGATE_LIMIT(name, value, unit, reason) std::uint64_t name = value;
#include "format/limits.def"
#undef GGUFGATE_LIMIT

  friend bool operator==(const Limits&, const Limits&) = default;
};

// kDeepestArray bounds Limits::array_depth: the walk over nested arrays keeps one frame a level in
// a fixed array, so that no file chooses how deep it goes.
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
