#pragma once

#include "absl/status/status.h"
#include "remote/fetch_config.h"

namespace ggufgate {

// ConfineFetching limits this process to the needs of fetching. It can read only the files for name
// resolution and certificates. It cannot write files or start programs. It can connect to Internet
// hosts, which no other process of a run can do. Builds without confinement ignore the call. It
// must be called while the process has one thread.
[[nodiscard]] absl::Status ConfineFetching(const FetchConfig& config);

}  // namespace ggufgate
