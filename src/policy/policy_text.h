#pragma once

#include <ostream>
#include <string>

#include "check/policy.h"

namespace ggufgate {

// PolicyText writes a policy as a policy file: ParsePolicy() of the text gives the same policy,
// but for Policy::source. Comments say what each limit is for, and how all other rules weigh.
[[nodiscard]] std::string PolicyText(const Policy& policy);
inline void PrintPolicy(const Policy& policy, std::ostream& out) { out << PolicyText(policy); }

}  // namespace ggufgate
