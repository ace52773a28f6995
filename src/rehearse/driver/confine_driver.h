#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace ggufgate::driver {

// ConfineDriver leaves this process only the needs of a loader: the libraries in `folder` and those
// of the system, the entries of this process in /proc, the facts about the processor, and the open
// descriptors. It returns an error if the system lacks Landlock or seccomp, because no loader may
// run without them.
[[nodiscard]] absl::Status ConfineDriver(const std::string& folder, std::uint64_t cpu_seconds);

}  // namespace ggufgate::driver
