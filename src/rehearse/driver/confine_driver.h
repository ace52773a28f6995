#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace ggufgate::driver {

// ConfineDriver leaves this process the needs of a loader: the libraries in `folder` and those of
// the system, this process's own entries in /proc, the facts of the processor, and the descriptors
// that are open. An error where the system lacks Landlock or seccomp: no loader runs without them.
[[nodiscard]] absl::Status ConfineDriver(const std::string& folder, std::uint64_t cpu_seconds);

}  // namespace ggufgate::driver
