#pragma once

#include "rehearse/driver_record_reader.h"
#include "rehearse/outcome.h"
#include "rehearse/recent_output.h"

namespace ggufgate {

// KilledFor is the reason why the watch killed a driver.
enum class KilledFor : std::uint8_t { kNothing, kTime, kMemory, kThreads };

// LoaderKind: the driver calls a library and reports each stage. It becomes a command, which
// reports nothing.
enum class LoaderKind : std::uint8_t { kLibrary, kCommand };

// DriverEnd tells how a driver ended, according to the system.
struct DriverEnd {
  LoaderKind kind = LoaderKind::kLibrary;
  int status = 0;  // from waitpid()
  KilledFor killed_for = KilledFor::kNothing;
};

// Conclude determines the outcome. Records of the driver can make the outcome worse, but never
// better: *runs* requires an exit without a signal, the right exit code, and every record in the
// right order. A command *runs* if its exit code is 0, and *refuses* with any other code.
[[nodiscard]] Rehearsal Conclude(const DriverEnd& end, const DriverRecordReader& heard,
                                 const RecentOutput& words);

}  // namespace ggufgate
