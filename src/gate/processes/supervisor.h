#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/worker_pipe.h"
#include "gate/processes/worker_processes.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// Supervisor starts workers one after the other and passes their frames on to `printer`, a pipe. It
// closes the pipe once each file has a report or a loss, so that the printer need not wait for the
// exit of the last worker. It never blocks, so Supervise() can run two of them in turn.
class Supervisor {
 public:
  Supervisor(const WorkerProcesses& processes, Descriptor& printer)
      : processes_(processes), printer_(printer) {}
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  ~Supervisor() { Stop(); }  // also after an exception: no worker outlives it

  // Begin starts the first worker. Begin, Continue and CannotWait return an error if no worker can
  // be confined.
  [[nodiscard]] absl::Status Begin();
  // Continue does the work that needs no waiting. `ready` is the result of poll() for Waits().
  [[nodiscard]] absl::Status Continue(std::span<const pollfd> ready);
  // CannotWait stops the worker if poll() fails.
  [[nodiscard]] absl::Status CannotWait(const absl::Status& why) { return WorkerEnded(why); }

  // Done tells whether the work is over. The last worker has ended, and either each file has a
  // report or a loss, or the printer no longer reads.
  [[nodiscard]] bool Done() const;
  // Waits returns the descriptors for poll(): the worker's pipe and the printer's pipe.
  [[nodiscard]] std::array<pollfd, 2> Waits() const;
  // Stop kills the worker and closes the pipe.
  void Stop();

 private:
  [[nodiscard]] absl::Status StartNext();
  [[nodiscard]] absl::Status StartWorker();
  [[nodiscard]] absl::Status TakeFrames();
  [[nodiscard]] absl::Status Take(const Frame& frame);
  [[nodiscard]] absl::Status WorkerEnded(const absl::Status& passed);
  [[nodiscard]] absl::Status EndOfWorker(const absl::Status& passed);
  [[nodiscard]] absl::Status AfterWorker(const absl::Status& ended);
  [[nodiscard]] bool TookTooLong();
  void Lose(const absl::Status& why);
  void Send(FrameKind kind, Bytes bytes);
  void Flush();

  const WorkerProcesses& processes_;
  Descriptor& printer_;
  std::vector<std::uint8_t> unsent_;  // frames that did not fit into the printer's pipe
  std::size_t sent_ = 0;          // bytes of unsent_ already written: a pipe takes 64 KiB at a time
  std::size_t next_ = 0;          // the first file without a report
  std::size_t alone_before_ = 0;  // files before this one are checked in one process each
  absl::Status stopped_;          // how the worker that had begun them ended
  bool printer_is_gone_ = false;

  // State of the running worker; without one, worker_ is -1.
  pid_t worker_ = -1;
  Descriptor from_;
  FrameReader reader_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t most_cpu_seconds_ = 0;
  // It has sent nothing. A worker sends its limit before it reads a file, so one that a file
  // controls has no chance to change the limit.
  bool may_set_limit_ = false;
  std::chrono::nanoseconds cpu_at_report_{};
  std::chrono::steady_clock::time_point looked_at_{};  // last check of its processor time
};

// Supervise runs both until they are done. It returns an error if no worker of `judging` can be
// confined. A missing witness is not an error here: the printer notices it.
[[nodiscard]] absl::Status Supervise(Supervisor& judging, Supervisor& witnessing);

}  // namespace ggufgate
