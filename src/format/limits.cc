#include "format/limits.h"

#include <array>

namespace ggufgate {
namespace {

constexpr std::array kLimits = {
#define GGUFGATE_LIMIT(name, value, unit, reason) LimitInfo{#name, &Limits::name, unit, reason},
#include "format/limits.def"
#undef GGUFGATE_LIMIT
};

}  // namespace

std::span<const LimitInfo> AllLimits() { return kLimits; }

}  // namespace ggufgate
