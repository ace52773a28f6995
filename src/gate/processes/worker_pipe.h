#pragma once

// The pipe through which a worker sends its reports.

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/processes/worker_processes.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

struct Pipe {
  Descriptor from;
  Descriptor to;
};
[[nodiscard]] absl::StatusOr<Pipe> MakePipe();

// DoNotWait makes the end of a pipe non-blocking.
[[nodiscard]] absl::Status DoNotWait(const Descriptor& end);

// Keeping adds the descriptor of a pipe to the descriptors that a process keeps.
[[nodiscard]] Confinement Keeping(Confinement confinement, int more);

// Exit codes of a worker. confine.cc already uses 113.
inline constexpr int kWorkerDone = 0;
inline constexpr int kWorkerOutOfMemory = 1;
inline constexpr int kWorkerFailed = 2;

// JudgeInto runs processes.judge, sends its frames into a pipe, and returns the exit code of the
// worker.
[[nodiscard]] int JudgeInto(const WorkerProcesses& processes, std::size_t begin, std::size_t end,
                            int to);

}  // namespace ggufgate
