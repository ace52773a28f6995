#include "gate/processes/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

// What a worker ends with. 113 is taken, see confine.cc.
constexpr int kDone = 0;
constexpr int kOutOfMemory = 1;
constexpr int kFailed = 2;

// Nobody asks for more; it keeps the clock from overflowing.
constexpr std::uint64_t kMostCpuSeconds = std::uint64_t{100} * 366 * 24 * 3600;

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

// CpuOf is the processor time that a process and its threads have taken; nullopt when it has ended.
std::optional<std::chrono::nanoseconds> CpuOf(pid_t process) {
  clockid_t clock = {};
  timespec taken = {};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &taken) != 0) {
    return std::nullopt;
  }
  return std::chrono::seconds(taken.tv_sec) + std::chrono::nanoseconds(taken.tv_nsec);
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
    Confinement confinement = Keeping(processes_.worker, to);
    std::vector<Descriptor> besides;
    if (processes_.before_worker) {
      absl::StatusOr<std::vector<Descriptor>> made = processes_.before_worker();
      if (!made.ok()) return made.status();
      besides = *std::move(made);
    }
    for (const Descriptor& one : besides) confinement = Keeping(confinement, one.get());
    const absl::StatusOr<pid_t> worker = StartConfined(confinement, [&] {
      ::close(printer_);  // a worker must not speak for the others
      return JudgeInto(processes_, begin, end, to);
    });
    if (!worker.ok()) return worker.status();
    pipe->to = Descriptor();  // or the end would never come
    besides.clear();
    worker_ = *worker;
    most_cpu_seconds_ = processes_.most_cpu_seconds;
    cpu_at_report_ = {};
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
    const std::size_t begin = next_;
    while (!printer_is_gone_) {
      const absl::StatusOr<std::optional<Frame>> frame =
          ReceiveFrame(from, [&] { return WaitFor(from); });
      if (!frame.ok()) return frame.status();
      if (!*frame) return absl::OkStatus();
      switch ((*frame)->kind) {
        case FrameKind::kReport:
          if (next_ == end) return NotAskedFor();
          ++next_;
          cpu_at_report_ = CpuOf(worker_).value_or(cpu_at_report_);
          break;
        case FrameKind::kProgress:
          break;
        case FrameKind::kCpuLimit: {
          const std::optional<std::uint64_t> seconds = NumberIn(**frame);
          if (next_ != begin || !seconds) return NotAskedFor();
          most_cpu_seconds_ = std::min(*seconds, kMostCpuSeconds);
          continue;
        }
        case FrameKind::kLoss:
          return NotAskedFor();
      }
      Send((*frame)->kind, (*frame)->bytes);
    }
    return absl::OkStatus();
  }

  static absl::Status NotAskedFor() {
    return absl::InternalError("a worker sent a message that was not expected");
  }

  // WaitFor returns when a worker has sent something. An error when the printer is gone, for a
  // worker that waits for standard input may never send; and when the worker has computed for too
  // long: it could ignore a limit of its own.
  absl::Status WaitFor(int from) {
    std::array<pollfd, 2> ends = {{{.fd = from, .events = POLLIN, .revents = 0},
                                   {.fd = printer_, .events = 0, .revents = 0}}};
    constexpr int kLookAgainAfter = 200;  // ms
    while (true) {
      const std::optional<std::chrono::nanoseconds> taken = CpuOf(worker_);
      if (taken && *taken - cpu_at_report_ > std::chrono::seconds(most_cpu_seconds_)) {
        return absl::DeadlineExceededError(
            absl::StrCat("it took more than the limit of ", most_cpu_seconds_,
                         " seconds of processor time (cpu_seconds)"));
      }
      const int ready = ::poll(ends.data(), ends.size(), kLookAgainAfter);
      if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "cannot wait");
      if ((ends[1].revents & POLLERR) != 0) {  // nobody has the other end
        printer_is_gone_ = true;
        return absl::CancelledError("no process receives the reports");
      }
      if (ready > 0) return absl::OkStatus();
    }
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

  // Of the worker that runs.
  pid_t worker_ = -1;
  std::uint64_t most_cpu_seconds_ = 0;
  std::chrono::nanoseconds cpu_at_report_{};
};

}  // namespace

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe");
  }
  return Pipe{.from = Descriptor(ends[0]), .to = Descriptor(ends[1])};
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
    return kDone;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const std::exception&) {
    return kFailed;
  }
}

// With `more`, which is a pipe's end.
Confinement Keeping(Confinement confinement, int more) {
  if (!confinement.descriptors) confinement.descriptors.emplace();
  confinement.descriptors->push_back(more);
  return confinement;
}

absl::Status Supervise(const WorkerProcesses& processes, int printer) {
  return Supervisor(processes, printer).Run();
}

}  // namespace ggufgate
