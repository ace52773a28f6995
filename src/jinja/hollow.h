#pragma once

// Conditions that do not hold where a macro's argument is hollow: undefined, empty, or a plain text
// or number. A macro that walks its argument ends there. Not for users of the library.

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

// GivenName is a name that stands for an argument of the macro being read, or for a part of it.
struct GivenName {
  std::size_t parameter = 0;
  bool whole = false;         // the argument itself
  HollowKinds otherwise = 0;  // what a part may be besides undefined where the argument is hollow
};

// HollowOutcome tells for which hollow arguments a condition surely fails, and surely holds. A
// condition that ends rendering with an error counts as one that fails.
struct HollowOutcome {
  HollowCases fails;
  HollowCases holds;
};

// TryHollow tries a condition of the macro being read with each of its arguments hollow. It
// understands paths from a parameter (`s.a['b']`), compared, tested or counted, joined by and, or,
// not and brackets. Of anything else nothing is sure. Linear in the tokens.
[[nodiscard]] HollowOutcome TryHollow(JinjaTokens condition, const TemplateScope& scope);

}  // namespace ggufgate
