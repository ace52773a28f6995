#pragma once

// Conditions that fail when a macro's argument is hollow: undefined, empty, a plain text or number,
// or a schema that says nothing. A macro that walks its argument stops there. Not for users of the
// library.

#include <array>
#include <cstddef>

#include "jinja/syntax/statements.h"
#include "jinja/values/given.h"

namespace ggufgate {

class TemplateScope;

// Parameters of a macro that are followed; no published template walks by a later one.
inline constexpr std::size_t kFollowedParameters = 8;

// HollowCases is a set of hollow arguments, by parameter.
struct HollowCases {
  std::array<HollowKinds, kFollowedParameters> of{};

  HollowCases& operator|=(const HollowCases& other);
  HollowCases& operator&=(const HollowCases& other);
};

// GivenName is a name that holds an argument of the current macro, or a part of it.
struct GivenName {
  std::size_t parameter = 0;
  bool whole = false;         // the argument itself
  bool named = false;         // taken out of it by constant names alone
  HollowKinds otherwise = 0;  // besides undefined: values of a part when the argument is hollow
};

// HollowOutcome lists the hollow arguments for which a condition surely fails or surely holds. An
// error that ends rendering counts as a failure.
struct HollowOutcome {
  HollowCases fails;
  HollowCases holds;
};

// TryHollow evaluates a condition of the current macro for each hollow argument. It understands
// paths from a parameter (`s.a['b']`) that are compared, tested or counted, and `and`, `or`, `not`
// and parentheses. For any other condition it returns no outcome. The time is linear in the tokens.
[[nodiscard]] HollowOutcome TryHollow(JinjaTokens condition, const TemplateScope& scope);

}  // namespace ggufgate
