#include "gate/processes/worker_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>

namespace ggufgate {

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe");
  }
  return Pipe{.from = Descriptor(ends[0]), .to = Descriptor(ends[1])};
}

absl::Status DoNotWait(const Descriptor& end) {
  if (::fcntl(end.get(), F_SETFL, O_NONBLOCK) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot set up a pipe");
}

int JudgeInto(const WorkerProcesses& processes, std::size_t begin, std::size_t end, int to) {
  std::mutex one_at_a_time;
  const FrameSender send = [&](FrameKind kind, Bytes bytes) {
    const std::scoped_lock lock(one_at_a_time);
    if (!SendFrame(to, kind, bytes).ok())
      throw std::runtime_error("no process receives the reports");
  };
  try {
    processes.judge(begin, end, send);
    return kWorkerDone;
  } catch (const std::bad_alloc&) {
    return kWorkerOutOfMemory;
  } catch (const std::exception&) {
    return kWorkerFailed;
  }
}

Confinement Keeping(Confinement confinement, int more) {
  if (!confinement.descriptors) confinement.descriptors.emplace();
  confinement.descriptors->push_back(more);
  return confinement;
}

}  // namespace ggufgate
