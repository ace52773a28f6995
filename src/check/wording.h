#pragma once

// The wordings of the rules, by their names in rules.def.

#include <concepts>
#include <cstdint>

#include "check/finding.h"

namespace ggufgate {

// One enum per rule: AdapterWording::kHalf is wording Half of rule Adapter. A rule with one message
// has kOnly.
#define GGUFGATE_WORDING_NAME(name) k##name,
#define GGUFGATE_RULE_NAME(name, wordings)           \
  enum class name##Wording : std::uint8_t{wordings}; \
  constexpr RuleId RuleIdOf(name##Wording) { return RuleId::k##name; }
#include "check/rule_names.def"
#undef GGUFGATE_RULE_NAME
#undef GGUFGATE_WORDING_NAME

template <typename T>
concept NamedWording = requires(T wording) {
  { RuleIdOf(wording) } -> std::same_as<RuleId>;
};

// Wording is one message of one rule. Wordings of different rules are never equal.
struct Wording {
  RuleId rule;
  std::uint8_t number;  // in the order of the block

  constexpr Wording(RuleId rule_in, std::uint8_t number_in) : rule(rule_in), number(number_in) {}
  template <NamedWording Name>
  constexpr Wording(Name name)  // NOLINT(google-explicit-constructor): a name is a wording
      : rule(RuleIdOf(name)), number(static_cast<std::uint8_t>(name)) {}

  friend bool operator==(const Wording&, const Wording&) = default;
};

[[nodiscard]] inline Wording WordingOf(const Finding& finding) {
  return {finding.rule, finding.wording};
}

}  // namespace ggufgate
