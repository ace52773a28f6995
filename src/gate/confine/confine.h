#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "format/limits.h"

namespace ggufgate {

// Confinement is what a confined child keeps.
struct Confinement {
  // Files it may open, for reading. Links are followed now: one that is
  // changed later opens nothing else. What is not in the list cannot be opened, nor anything be
  // made, changed or removed.
  std::vector<std::string> readable;
  std::uint64_t most_memory = std::uint64_t{16} << 30;  // bytes of address space
  // Of all its threads together; it is told of by SIGXCPU, and ended a little later whatever it
  // does about that.
  std::uint64_t most_cpu_seconds = Limits{}.cpu_seconds;
  bool reads = true;    // opens files, and reads at any place of those that are open
  bool writes = true;   // to files that are open, and not to pipes alone
  bool spools = false;  // takes standard input into memory of the system's (Input::Spool)
  // Descriptors it keeps: all others are closed, and the standard ones among them lead nowhere.
  // None: it keeps what this process has.
  std::optional<std::vector<int>> descriptors = std::nullopt;
};

// RunConfined runs `work` in a child process that has given up everything but reading those files
// and writing to the descriptors it has: no new files, no network, no other programs, no other
// processes, no signals to others, no executable memory. It gives the exit code of `work`. Signals
// that this process handles do to the child what they do by default.
//
// An error when the child could not be confined or did not end by itself: whatever it printed, its
// verdict does not count. Must be called while the process has one thread.
//
// Kernels without Landlock (before 5.13) still confine to reading, but of any file the user may
// read. Builds with sanitizers or coverage, whose run-times need more, run `work` unconfined in
// this process; see ConfinementIsBuiltIn().
[[nodiscard]] absl::StatusOr<int> RunConfined(const Confinement& confinement,
                                              const std::function<int()>& work);

// The same in two steps, for a caller that has something to do meanwhile. Only in builds with
// ConfinementIsBuiltIn().
[[nodiscard]] absl::StatusOr<pid_t> StartConfined(const Confinement& confinement,
                                                  const std::function<int()>& work);
[[nodiscard]] absl::StatusOr<int> EndOfConfined(pid_t child);

[[nodiscard]] bool ConfinementIsBuiltIn();

// AvailableConfinement says, for people, what this build and this kernel have to confine with.
[[nodiscard]] std::string AvailableConfinement();
// ConfinementInForce is what holds in children that RunConfined() starts here and now.
struct ConfinementInForce {
  bool system_calls = false;  // by seccomp
  bool files = false;         // by Landlock
};
[[nodiscard]] absl::StatusOr<ConfinementInForce> AskForConfinement();

}  // namespace ggufgate
