#pragma once

#include <cstdint>
#include <string_view>

#include "gate/reading/descriptor.h"
#include "rehearse/driver_process.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// kStandInPath is the model's name in the process of a loader.
inline constexpr std::string_view kStandInPath = "/proc/self/fd/3";

// RehearsalLimits bound time, memory and threads of a loader.
struct RehearsalLimits {
  double cpu_seconds = 300;  // of all threads; by the clock four times that and ten
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // resident
  std::uint64_t threads = 256;
};

// Rehearse has a loader load and run a model, of which it gets the stand-in, and tells how that
// ended. The loader runs in a process that can read its own libraries and reach nothing. Must be
// called while the process has one thread.
[[nodiscard]] Rehearsal Rehearse(DriverCall call, const Descriptor& stand_in,
                                 const RehearsalLimits& limits);

}  // namespace ggufgate
