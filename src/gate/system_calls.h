#pragma once

#include "absl/status/status.h"

namespace ggufgate {

// RestrictSystemCalls leaves the process the calls that reading, computing and writing to open
// descriptors need. Any other ends it at once (SIGSYS).
[[nodiscard]] absl::Status RestrictSystemCalls();

}  // namespace ggufgate
