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
inline constexpr std::size_t kMostPolicyProblems = 50;  // about so many are told

// What a policy file means for a limit that is not there.
inline constexpr std::string_view kUnlimited = "unlimited";

// ParsedPolicy is what a text means. The policy counts only when there is no problem.
struct ParsedPolicy {
  Policy policy;
  // By place. Of those of syntax the first; of all others all, until kMostPolicyProblems are
  // reached.
  std::vector<TextProblem> problems = {};
};

// ParsePolicy reads the text of a policy file; docs/policy.md describes it. A profile given here
// wins over the file's; the limits of the file apply on top of it. Policy::source stays empty.
//
// Total on every text, in time linear in it.
[[nodiscard]] ParsedPolicy ParsePolicy(std::string_view text,
                                       std::optional<Profile> profile = std::nullopt);

}  // namespace ggufgate
