#include "gate/worker_processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "gate/descriptor.h"

namespace ggufgate {
namespace {

// What a worker ends with. 113 is taken, see confine.cc.
constexpr int kDone = 0;
constexpr int kOutOfMemory = 1;
constexpr int kFailed = 2;

struct Pipe {
  Descriptor from;
  Descriptor to;
};

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe");
  }
  return Pipe{.from = Descriptor(ends[0]), .to = Descriptor(ends[1])};
}

// A write to a pipe that nobody reads is an error of write(), not a signal, as long as this lives.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;
  ~BrokenPipesAreErrors() { ::sigaction(SIGPIPE, &before_, nullptr); }

 private:
  struct sigaction before_ = {};
};

// Judge runs in a worker, or in its thread.
int Judge(const WorkerProcesses& processes, std::size_t begin, std::size_t end, int to) {
  std::mutex one_at_a_time;
  const FrameSender send = [&](FrameKind kind, Bytes bytes) {
    const std::scoped_lock lock(one_at_a_time);
    if (!SendFrame(to, kind, bytes).ok()) throw std::runtime_error("nobody takes the reports");
  };
  try {
    processes.judge(begin, end, send);
    return kDone;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const std::exception&) {
    return kFailed;
  }
}

int Print(const WorkerProcesses& processes, int from) {
  return processes.print([from]() -> std::optional<Frame> {
    absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(from);
    if (!frame.ok()) throw std::runtime_error(std::string(frame.status().message()));
    return *std::move(frame);
  });
}

// With `more`, which is a pipe's end.
Confinement Keeping(Confinement confinement, int more) {
  if (!confinement.descriptors) confinement.descriptors.emplace();
  confinement.descriptors->push_back(more);
  return confinement;
}

// EndsSoon waits a second at most for a process that has closed its pipe; it stays to be waited
// for.
bool EndsSoon(pid_t process) {
  for (int i = 0; i < 100; ++i) {
    siginfo_t info = {};
    const auto id = static_cast<id_t>(process);
    if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    if (info.si_pid == process) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// Supervisor starts workers one after the other and passes on what they send.
class Supervisor {
 public:
  Supervisor(const WorkerProcesses& processes, int printer)
      : processes_(processes), printer_(printer) {}

  // Run returns when each file has a report or a loss, or when the printer takes no more.
  absl::Status Run() {
    while (next_ < processes_.files && !printer_is_gone_) {
      const bool alone = next_ < alone_before_;
      if (alone && processes_.read_once(next_)) {
        Lose(stopped_);  // what there was to read of it is gone
        continue;
      }
      const std::size_t end = alone ? next_ + 1 : processes_.files;
      const bool single = end == next_ + 1;
      const absl::Status ended = RunWorker(end);
      if (absl::IsFailedPrecondition(ended)) return ended;  // no worker can be confined
      if (ended.ok() || printer_is_gone_) continue;
      if (single && next_ < end) {
        Lose(ended);
      } else {
        stopped_ = ended;
        alone_before_ = next_ + processes_.at_once;
      }
    }
    return absl::OkStatus();
  }

 private:
  // RunWorker has a worker judge the files up to `end` and passes its frames on; next_ counts the
  // reports. OK when there is one of each file.
  absl::Status RunWorker(std::size_t end) {
    absl::StatusOr<Pipe> pipe = MakePipe();
    if (!pipe.ok()) return pipe.status();
    const int to = pipe->to.get();
    const std::size_t begin = next_;
    const absl::StatusOr<pid_t> worker = StartConfined(Keeping(processes_.worker, to), [&] {
      ::close(printer_);  // a worker must not speak for the others
      return Judge(processes_, begin, end, to);
    });
    if (!worker.ok()) return worker.status();
    pipe->to = Descriptor();  // or the end would never come
    const absl::Status passed = PassOn(pipe->from.get(), end);
    // Why it ended says more than that its last report is not whole.
    const bool ended = absl::IsDataLoss(passed) && EndsSoon(*worker);
    if (!passed.ok() || printer_is_gone_) ::kill(*worker, SIGKILL);
    const absl::StatusOr<int> code = EndOfConfined(*worker);
    if (!passed.ok() && (!ended || code.ok())) return passed;
    if (!code.ok()) return code.status();
    if (*code == kOutOfMemory) return absl::ResourceExhaustedError("out of memory");
    if (*code == kDone && next_ == end) return absl::OkStatus();
    return absl::InternalError("the confined process failed");
  }

  absl::Status PassOn(int from, std::size_t end) {
    while (PrinterWaitsFor(from)) {
      const absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(from);
      if (!frame.ok()) return frame.status();
      if (!*frame) return absl::OkStatus();
      const bool report = (*frame)->kind == FrameKind::kReport;
      if ((report && next_ == end) || (*frame)->kind == FrameKind::kLoss) {
        return absl::InternalError("a worker sent what it was not asked for");
      }
      if (report) ++next_;
      Send((*frame)->kind, (*frame)->bytes);
    }
    return absl::OkStatus();
  }

  // PrinterWaitsFor returns when a worker has sent something, or with false when the printer is
  // gone: a worker that waits for standard input may never send.
  bool PrinterWaitsFor(int from) {
    std::array<pollfd, 2> ends = {{{.fd = from, .events = POLLIN, .revents = 0},
                                   {.fd = printer_, .events = 0, .revents = 0}}};
    while (!printer_is_gone_ && ::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
    }
    if ((ends[1].revents & POLLERR) != 0) printer_is_gone_ = true;  // nobody has the other end
    return !printer_is_gone_;
  }

  void Lose(const absl::Status& why) {
    ++next_;
    Send(FrameKind::kLoss, AsBytes(std::string(why.message())));
  }

  void Send(FrameKind kind, Bytes bytes) {
    if (!SendFrame(printer_, kind, bytes).ok()) printer_is_gone_ = true;
  }

  const WorkerProcesses& processes_;
  int printer_;
  std::size_t next_ = 0;          // file of which no report has been passed on
  std::size_t alone_before_ = 0;  // files before this one get a process of their own
  absl::Status stopped_;          // how the worker ended that may have begun those
  bool printer_is_gone_ = false;
};

absl::StatusOr<int> RunBesideEachOther(const WorkerProcesses& processes) {
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  std::thread worker([&] {
    // NOLINTNEXTLINE(bugprone-unused-return-value)
    std::ignore = Judge(processes, 0, processes.files, pipe->to.get());
    pipe->to = Descriptor();
  });
  const auto finish = [&] {
    pipe->from = Descriptor();
    worker.join();
  };
  try {
    const int code = Print(processes, pipe->from.get());
    finish();
    return code;
  } catch (...) {
    finish();
    throw;
  }
}

}  // namespace

absl::StatusOr<int> RunInProcesses(const WorkerProcesses& processes) {
  const BrokenPipesAreErrors during;
  if (!ConfinementIsBuiltIn()) return RunBesideEachOther(processes);
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  const int from = pipe->from.get();
  const absl::StatusOr<pid_t> printer = StartConfined(Keeping(processes.printer, from), [&] {
    pipe->to = Descriptor();  // or the end would never come
    return Print(processes, from);
  });
  if (!printer.ok()) return printer.status();
  pipe->from = Descriptor();
  const absl::Status supervised = Supervisor(processes, pipe->to.get()).Run();
  pipe->to = Descriptor();
  absl::StatusOr<int> code = EndOfConfined(*printer);
  return supervised.ok() ? code : supervised;
}

}  // namespace ggufgate
