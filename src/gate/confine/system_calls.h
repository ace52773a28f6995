#pragma once

#include "absl/status/status.h"

namespace ggufgate {

// SystemCallNeeds tells what a process does besides computing and writing to open descriptors.
struct SystemCallNeeds {
  bool reads = true;    // opens files, and reads open files at any offset
  bool spools = false;  // copies standard input into a memory file
};

// FiltersAreAvailable asks the kernel whether a filter can kill a process (Linux 4.14).
[[nodiscard]] bool FiltersAreAvailable();

// RestrictSystemCalls allows the process the calls that `needs` requires, with harmless arguments.
// Any other call kills it immediately (SIGSYS). The filter holds the id of the calling process,
// which may send signals only to itself.
[[nodiscard]] absl::Status RestrictSystemCalls(const SystemCallNeeds& needs);

// RestrictSystemCallsToFetching allows the process the calls of an HTTP client: opening files for
// reading, Internet sockets, threads. Any other call is refused with EPERM, not killed, because
// resolvers make different calls on different systems.
[[nodiscard]] absl::Status RestrictSystemCallsToFetching();

// RestrictSystemCallsToRehearsing allows the process the calls of a library that reads a model and
// computes with threads. Any other call is refused (EPERM).
[[nodiscard]] absl::Status RestrictSystemCallsToRehearsing();

// RestrictSystemCallsToCommand leaves the process the same calls, and those that replace it by
// another program.
[[nodiscard]] absl::Status RestrictSystemCallsToCommand();

}  // namespace ggufgate
