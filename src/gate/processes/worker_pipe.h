#pragma once

// The pipe into which a worker sends its reports.

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

// DoNotWait has reads and writes of a pipe's end come back where they would wait.
[[nodiscard]] absl::Status DoNotWait(const Descriptor& end);

// Keeping adds a descriptor, which is a pipe's end, to those that a process keeps.
[[nodiscard]] Confinement Keeping(Confinement confinement, int more);

// Exit codes of a worker. 113 is taken, see confine.cc.
inline constexpr int kWorkerDone = 0;
inline constexpr int kWorkerOutOfMemory = 1;
inline constexpr int kWorkerFailed = 2;

// JudgeInto runs processes.judge and sends its frames into a pipe. It gives the exit code of
// the worker.
[[nodiscard]] int JudgeInto(const WorkerProcesses& processes, std::size_t begin, std::size_t end,
                            int to);

}  // namespace ggufgate
