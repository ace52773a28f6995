#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gate/reading/descriptor.h"
#include "rehearse/driver_process.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// kStandInPath is the model's name in the process of a loader.
inline constexpr std::string_view kStandInPath = "/proc/self/fd/3";

// RehearsalLimits limit time, memory and threads of a loader.
struct RehearsalLimits {
  // For all threads; the limit of elapsed time is four times that plus ten seconds.
  double cpu_seconds = 300;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // resident
  std::uint64_t threads = 256;
  // Mapped pages of files count as memory. If the loader gets a real model, they do not: the system
  // can drop them at any time.
  bool counts_mapped_files = true;
};

// Rehearse runs a loader on the stand-ins of a model's shards and then of its adapters, or on these
// files themselves, and reports the result. A command gets one file. The loader runs in a process
// that can read its libraries and has no other access. It must be called while the process has one
// thread.
[[nodiscard]] Rehearsal Rehearse(DriverCall call, std::span<const Descriptor> stand_ins,
                                 const RehearsalLimits& limits);

}  // namespace ggufgate
