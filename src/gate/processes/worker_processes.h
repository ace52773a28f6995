#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "format/limits.h"
#include "gate/confine/confine.h"
#include "gate/processes/report_frames.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// FrameSender sends a frame. Several threads may call it. It throws if the receiver is gone.
using FrameSender = std::function<void(FrameKind, Bytes)>;
// FrameSource returns the next frame, or nullopt at the end.
using FrameSource = std::function<std::optional<Frame>()>;

// WorkerProcesses holds the functions and limits of RunInProcesses.
struct WorkerProcesses {
  std::size_t files = 0;    // number of files
  std::size_t at_once = 1;  // maximum number of files that a worker has begun but not reported
  // Tells whether a file can be read only once (standard input). Such a file is not given to a
  // second worker.
  std::function<bool(std::size_t file)> read_once;

  // Limit of processor time, in seconds, from one report to the next, for all threads of a worker
  // together.
  std::uint64_t most_cpu_seconds = Limits{}.cpu_seconds;

  // Runs in a worker. It checks the files from `begin` up to `end` and sends a kReport for each, in
  // order. It may send kProgress at any time. If its first frame is a kCpuLimit, that replaces
  // most_cpu_seconds.
  std::function<void(std::size_t begin, std::size_t end, const FrameSender& send)> judge;
  // Runs in a separate worker that receives nothing from the others. It sends the second opinion on
  // each file as a kReport, in order. Null: there are no second opinions.
  std::function<void(std::size_t begin, std::size_t end, const FrameSender& send)> witness;
  // Runs in the printer and returns the exit code. Both sources give it a kReport or kLoss for each
  // file, in order.
  std::function<int(const FrameSource& reports, const FrameSource& opinions)> print;
  // The printer tidies up when it gets a signal that ends this process: see SignalForwarding.
  bool printer_tidies = false;

  // The two functions below run before a worker or a witness is started, and return more
  // descriptors for it. This process closes them once the child runs. The `descriptors` of a
  // Confinement need not name the pipe; an unset list keeps none.
  std::function<absl::StatusOr<std::vector<Descriptor>>()> before_worker;
  std::function<absl::StatusOr<std::vector<Descriptor>>()> before_witness;

  Confinement worker;  // also for the witness, which does not read standard input
  Confinement printer;
};

// RunInProcesses checks files in one confined process, gets second opinions in another, and prints
// in a third. This process, and one that supervises the witness, only start them and pass frames
// on. They do not interpret the frames.
//
// If a worker crashes, no verdict is lost. The reports that it has sent remain valid. The files
// that it may have begun are checked again, each in a separate process; another worker checks the
// rest. Only a file that crashes its own process is lost: kLoss gives the reason.
//
// It returns the result of `print`. It returns an error if the printer or a worker could not be
// confined, or if the printer was killed. It must be called while the process has one thread.
// Builds without confinement run both in this process, `judge` in a thread.
[[nodiscard]] absl::StatusOr<int> RunInProcesses(const WorkerProcesses& processes);

}  // namespace ggufgate
