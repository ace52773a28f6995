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

// FrameSender sends a frame. It may be called by several threads; it throws when the receiver is
// gone.
using FrameSender = std::function<void(FrameKind, Bytes)>;
// FrameSource gives the next frame, nothing when all have come.
using FrameSource = std::function<std::optional<Frame>()>;

// WorkerProcesses says who does what in RunInProcesses.
struct WorkerProcesses {
  std::size_t files = 0;    // how many there are
  std::size_t at_once = 1;  // most files that a worker has begun and not reported
  // Files that can be read once only (standard input) are not given to a second worker.
  std::function<bool(std::size_t file)> read_once;

  // Seconds of processor time that a worker may take from one report to the next, all its threads
  // together.
  std::uint64_t most_cpu_seconds = Limits{}.cpu_seconds;

  // In a worker: judges the files from `begin` up to `end` and sends a kReport of each, in order;
  // kProgress at any time; kCpuLimit before the first report to change most_cpu_seconds.
  std::function<void(std::size_t begin, std::size_t end, const FrameSender& send)> judge;
  // In a worker of its own kind, which is told nothing by the others: the second opinions of those
  // files, each a kReport, in order. None: nobody asks for them, and the printer gets none.
  std::function<void(std::size_t begin, std::size_t end, const FrameSender& send)> witness;
  // In the printer: gets a kReport or kLoss of each file, in order, of both, and returns the exit
  // code.
  std::function<int(const FrameSource& reports, const FrameSource& opinions)> print;
  // The printer has something to put in order when a signal ends this process, and does so when it
  // gets that signal: see TidyEnd.
  bool printer_tidies = false;

  // Their `descriptors` need not name the pipe; none named are none kept.
  // Called before each worker, and each witness, is started: descriptors that it keeps besides.
  // This process closes them once it runs.
  std::function<absl::StatusOr<std::vector<Descriptor>>()> before_worker;
  std::function<absl::StatusOr<std::vector<Descriptor>>()> before_witness;

  Confinement worker;  // and of the witness, but that it does not read standard input
  Confinement printer;
};

// RunInProcesses judges files in one confined process, asks for second opinions in another, and
// prints in a third. This process and one that looks after the witness only start them and pass
// frames on, without a look at what is in them.
//
// Where a worker does not end by itself, no verdict is lost: what it had sent stands, the files
// that it may have begun are judged again, each in a process of its own, and those behind them by
// another. Only a file that ends its own process is lost: kLoss says how that ended.
//
// It gives what `print` returned; an error when the printer or a worker could not be confined, or
// the printer did not end by itself. Must be called while the process has one thread. Builds
// without confinement run both in this process, `judge` in a thread.
[[nodiscard]] absl::StatusOr<int> RunInProcesses(const WorkerProcesses& processes);

}  // namespace ggufgate
