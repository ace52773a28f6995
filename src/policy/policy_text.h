#pragma once

#include <ostream>
#include <string>

#include "check/policy.h"

namespace ggufgate {

// PolicyText writes a policy as a policy file. ParsePolicy() of the text returns the same policy,
// except for Policy::source. Comments explain each limit, and list the severities of all other
// rules.
[[nodiscard]] std::string PolicyText(const Policy& policy);
inline void PrintPolicy(const Policy& policy, std::ostream& out) { out << PolicyText(policy); }

}  // namespace ggufgate
