#pragma once

// Conditions that fail if a macro's argument is hollow: undefined, empty, a plain text or number,
// or a schema without restrictions. A macro that walks its argument stops there. Internal to this
// module.

#include <array>
#include <cstddef>

#include "jinja/syntax/statements.h"
#include "jinja/values/given.h"

namespace ggufgate {

class TemplateScope;

// Number of parameters of a macro that are followed. No published template walks a later one.
inline constexpr std::size_t kFollowedParameters = 8;

// HollowCases is a set of hollow arguments, per parameter.
struct HollowCases {
  std::array<HollowKinds, kFollowedParameters> of{};

  HollowCases& operator|=(const HollowCases& other);
  HollowCases& operator&=(const HollowCases& other);
};

// GivenName is a name that holds an argument of the current macro, or a part of one.
struct GivenName {
  std::size_t parameter = 0;
  bool whole = false;  // the argument itself
  bool named = false;  // only constant names led to it
  // Further values of the part, besides undefined, if the argument is hollow.
  HollowKinds otherwise = 0;
};

// HollowOutcome lists the hollow arguments for which a condition certainly fails or certainly
// holds. An error that stops rendering counts as a failure.
struct HollowOutcome {
  HollowCases fails;
  HollowCases holds;
};

// TryHollow evaluates a condition of the current macro for each hollow argument. It understands
// paths from a parameter (`s.a['b']`) that are compared, tested or counted, and `and`, `or`, `not`
// and parentheses. For any other condition it returns no outcome. The time is linear in the number
// of tokens.
[[nodiscard]] HollowOutcome TryHollow(JinjaTokens condition, const TemplateScope& scope);

}  // namespace ggufgate
