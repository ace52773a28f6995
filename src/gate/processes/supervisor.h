#pragma once

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

// Keeping adds a descriptor, which is a pipe's end, to those that a process keeps.
[[nodiscard]] Confinement Keeping(Confinement confinement, int more);

// JudgeInto runs processes.judge and sends its frames into a pipe. It gives what a worker ends
// with.
[[nodiscard]] int JudgeInto(const WorkerProcesses& processes, std::size_t begin, std::size_t end,
                            int to);

// Supervise starts workers one after the other and passes what they send on to `printer`, a pipe.
// It returns when each file has a report or a loss, or when the printer takes no more; an error
// when no worker can be confined.
[[nodiscard]] absl::Status Supervise(const WorkerProcesses& processes, int printer);

}  // namespace ggufgate
