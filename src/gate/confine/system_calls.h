#pragma once

#include "absl/status/status.h"

namespace ggufgate {

// SystemCallNeeds says what a process does besides computing and writing to open descriptors.
struct SystemCallNeeds {
  bool reads = true;    // opens files, and reads at any place of those that are open
  bool spools = false;  // takes standard input into memory of the system's
};

// FiltersAreAvailable asks the kernel whether it would end a process by a filter (Linux 4.14).
[[nodiscard]] bool FiltersAreAvailable();

// RestrictSystemCalls leaves the process the calls that this needs, with arguments that do no harm.
// Any other ends it at once (SIGSYS). The filter is for the process that calls: it may send signals
// to itself alone.
[[nodiscard]] absl::Status RestrictSystemCalls(const SystemCallNeeds& needs);

}  // namespace ggufgate
