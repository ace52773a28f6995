#pragma once

#include "rehearse/hearing.h"
#include "rehearse/last_words.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// KilledFor is why the watch ended a driver.
enum class KilledFor : std::uint8_t { kNothing, kTime, kMemory, kThreads };

// LoaderKind: the driver calls a library and reports each stage. It becomes a command, which
// reports nothing.
enum class LoaderKind : std::uint8_t { kLibrary, kCommand };

// DriverEnd is how a driver ended, as the system tells it.
struct DriverEnd {
  LoaderKind kind = LoaderKind::kLibrary;
  int status = 0;  // of waitpid()
  KilledFor killed_for = KilledFor::kNothing;
};

// Conclude makes the outcome. Records of the driver make an ending worse, and never better: *runs*
// takes an end without a signal, the code for it, and every record in its place. A command *runs*
// if its exit code is 0, and any other code is a refusal.
[[nodiscard]] Rehearsal Conclude(const DriverEnd& end, const Hearing& heard,
                                 const LastWords& words);

}  // namespace ggufgate
