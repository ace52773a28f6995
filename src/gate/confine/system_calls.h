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

// RestrictSystemCallsToFetching leaves the process what a client of HTTP needs: to open files for
// reading, to speak through sockets of the Internet, to start threads. Any other call is refused
// (EPERM): what resolvers are made of differs from system to system.
[[nodiscard]] absl::Status RestrictSystemCallsToFetching();

// RestrictSystemCallsToRehearsing leaves the process the calls of a library that reads a model and
// computes with threads. Any other call is refused (EPERM).
[[nodiscard]] absl::Status RestrictSystemCallsToRehearsing();

// RestrictSystemCallsToCommand leaves the process the same calls, and those that replace it by
// another program.
[[nodiscard]] absl::Status RestrictSystemCallsToCommand();

}  // namespace ggufgate
