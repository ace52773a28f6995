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

// Confinement lists the permissions and limits of a confined child.
struct Confinement {
  // Files that it may open for reading. Links are resolved when the child starts, so a link that is
  // changed later opens nothing else. The child cannot open any other file, and cannot create,
  // change or remove files.
  std::vector<std::string> readable;
  std::uint64_t most_memory = std::uint64_t{16} << 30;  // bytes of address space
  // Processor time of all its threads together. At the limit the child gets SIGXCPU. A few seconds
  // later it gets SIGKILL, even if it ignores SIGXCPU.
  std::uint64_t most_cpu_seconds = Limits{}.cpu_seconds;
  bool reads = true;    // opens files, and reads open files at any offset
  bool writes = true;   // to open files; if false, only to pipes
  bool spools = false;  // copies standard input into a memory file (Input::Spool)
  // Descriptors that it keeps. All others are closed; standard descriptors that are not listed
  // refer to /dev/null. Without a list it keeps all descriptors of this process.
  std::optional<std::vector<int>> descriptors = std::nullopt;
};

// RunConfined runs `work` in a confined child process and returns its exit code. The child can read
// those files and write to the descriptors that it has. It has no other files, no network, no
// programs, no child processes, no signals to others and no executable memory. Signals for which
// this process has handlers get their default action in the child.
//
// It returns an error if the child could not be confined or was killed. Then the caller must ignore
// the child's output: its verdict does not count. It must be called while the process has one
// thread.
//
// Kernels without Landlock (before 5.13) still allow only reading, but of any file that the user
// may read. Builds with sanitizers or coverage run `work` unconfined in this process, because their
// run-times need more; see ConfinementIsBuiltIn().
[[nodiscard]] absl::StatusOr<int> RunConfined(const Confinement& confinement,
                                              const std::function<int()>& work);

// StartConfined starts the child and returns its process id. EndOfConfined waits for it. Together
// they do the same as RunConfined(). Only in builds with ConfinementIsBuiltIn().
[[nodiscard]] absl::StatusOr<pid_t> StartConfined(const Confinement& confinement,
                                                  const std::function<int()>& work);
[[nodiscard]] absl::StatusOr<int> EndOfConfined(pid_t child);

[[nodiscard]] bool ConfinementIsBuiltIn();

// AvailableConfinement describes, for people, the confinement that this build and this kernel
// support.
[[nodiscard]] std::string AvailableConfinement();
// ConfinementInForce tells which restrictions apply to the children of RunConfined().
struct ConfinementInForce {
  bool system_calls = false;  // by seccomp
  bool files = false;         // by Landlock
};
[[nodiscard]] absl::StatusOr<ConfinementInForce> AskForConfinement();

}  // namespace ggufgate
