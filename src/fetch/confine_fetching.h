#pragma once

#include "absl/status/status.h"
#include "remote/fetch_config.h"

namespace ggufgate {

// ConfineFetching takes from this process all that it does not need to fetch: it can read what says
// where hosts are and whom to trust, and no other file; write none; start no program; and connect
// to hosts of the Internet, which is more than any other process of a run may. Without effect in
// builds without confinement. Must be called while the process has one thread.
[[nodiscard]] absl::Status ConfineFetching(const FetchConfig& config);

}  // namespace ggufgate
