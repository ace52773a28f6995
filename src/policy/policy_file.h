#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/policy.h"
#include "policy/toml.h"

namespace ggufgate {

inline constexpr std::string_view kPolicySchema = "ggufgate.policy/1";
inline constexpr std::size_t kMostPolicyProblems = 50;  // approximate limit of reported problems

// The value of a limit that means no limit.
inline constexpr std::string_view kUnlimited = "unlimited";

// ParsedPolicy is the result of parsing a policy file. The policy is valid only if there are no
// problems.
struct ParsedPolicy {
  Policy policy;
  // Sorted by position. Contains the first syntax error only; for other errors all, up to
  // kMostPolicyProblems.
  std::vector<TextProblem> problems = {};
};

// ParsePolicy parses the text of a policy file; docs/policy.md describes it. A profile given here
// has priority over the file's, and the limits of the file apply on top of it. Policy::source stays
// empty.
//
// It accepts any text, and its time is linear in the length.
[[nodiscard]] ParsedPolicy ParsePolicy(std::string_view text,
                                       std::optional<Profile> profile = std::nullopt);

}  // namespace ggufgate
