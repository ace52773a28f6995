#pragma once

#include <ostream>

#include "check/policy.h"

namespace ggufgate {

// PrintPolicy writes a policy as a policy file: ParsePolicy() of the text gives the same policy,
// but for Policy::source. Comments say what each limit is for, and how all other rules weigh.
void PrintPolicy(const Policy& policy, std::ostream& out);

}  // namespace ggufgate
