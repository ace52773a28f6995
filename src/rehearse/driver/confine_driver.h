#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace ggufgate::driver {

// Confinement is what a loader needs besides the libraries of the system, this process's own
// entries in /proc, the facts of the processor, and the descriptors that are open.
struct Confinement {
  std::vector<std::string> folders;  // the libraries in them can be read, and they can be listed
  // More files to read. Those in memory, like stand-ins, can be read without a rule.
  std::vector<std::string> files;
  std::string program;            // may replace this one; empty: nothing may
  std::uint64_t cpu_seconds = 0;  // of all threads together
  std::uint64_t stand_ins = 1;    // shards of the model, and adapters
};

// ConfineDriver takes everything else away from this process. It returns an error if the system
// lacks Landlock or seccomp, because no loader may run without them.
[[nodiscard]] absl::Status ConfineDriver(const Confinement& wanted);

}  // namespace ggufgate::driver
