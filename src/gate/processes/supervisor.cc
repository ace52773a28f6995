#include "gate/processes/supervisor.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

// 100 years. This bound keeps the clock from overflowing.
constexpr std::uint64_t kMostCpuSeconds = std::uint64_t{100} * 366 * 24 * 3600;

// EndsSoon waits at most a second for a process that has closed its pipe. It does not reap the
// process.
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

// CpuOf returns the processor time of a process and its threads, or nullopt if it has ended.
std::optional<std::chrono::nanoseconds> CpuOf(pid_t process) {
  clockid_t clock = {};
  timespec taken = {};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &taken) != 0) {
    return std::nullopt;
  }
  return std::chrono::seconds(taken.tv_sec) + std::chrono::nanoseconds(taken.tv_nsec);
}

absl::Status NotAskedFor() { return absl::InternalError("a worker sent an unexpected message"); }

constexpr std::chrono::milliseconds kLookAgainAfter{200};

}  // namespace

absl::Status Supervisor::Begin() {
  if (absl::Status set = DoNotWait(printer_); !set.ok()) return set;
  return StartNext();
}

bool Supervisor::Done() const {
  return worker_ < 0 && unsent_.empty() && (printer_is_gone_ || next_ == processes_.files);
}

std::array<pollfd, 2> Supervisor::Waits() const {
  constexpr pollfd kNothing = {.fd = -1, .events = 0, .revents = 0};
  if (Done()) return {kNothing, kNothing};
  // Reads no more from the worker while the printer's pipe is full.
  const bool blocked = !unsent_.empty();
  return {
      {{.fd = blocked ? -1 : from_.get(), .events = POLLIN, .revents = 0},
       {.fd = printer_.get(), .events = static_cast<short>(blocked ? POLLOUT : 0), .revents = 0}}};
}

void Supervisor::Stop() {
  if (worker_ > 0) {
    ::kill(worker_, SIGKILL);
    while (::waitpid(worker_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  worker_ = -1;
  from_ = Descriptor();
  unsent_.clear();
  sent_ = 0;
  printer_is_gone_ = true;
  printer_ = Descriptor();
}

// StartNext starts a worker for the remaining files, unless one runs.
absl::Status Supervisor::StartNext() {
  while (worker_ < 0 && unsent_.empty() && next_ < processes_.files && !printer_is_gone_) {
    const bool alone = next_ < alone_before_;
    if (alone && processes_.read_once(next_)) {
      Lose(stopped_);  // its bytes have been read and are lost
      continue;
    }
    begin_ = next_;
    end_ = alone ? next_ + 1 : processes_.files;
    absl::Status started = StartWorker();
    if (!started.ok()) started = AfterWorker(started);
    if (!started.ok()) return started;
  }
  // The printer has all reports.
  if (unsent_.empty() && next_ == processes_.files) printer_ = Descriptor();
  return absl::OkStatus();
}

// StartWorker starts a worker for the files up to end_.
absl::Status Supervisor::StartWorker() {
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  if (absl::Status set = DoNotWait(pipe->from); !set.ok()) return set;
  const int to = pipe->to.get();
  Confinement confinement = Keeping(processes_.worker, to);
  // The kernel counts the time for all files together. This process counts it for each.
  confinement.most_cpu_seconds = kMostCpuSeconds;
  std::vector<Descriptor> besides;
  if (processes_.before_worker) {
    absl::StatusOr<std::vector<Descriptor>> made = processes_.before_worker();
    if (!made.ok()) return made.status();
    besides = *std::move(made);
  }
  for (const Descriptor& one : besides) confinement = Keeping(confinement, one.get());
  // Of the pipes, the worker keeps only its own, so that it cannot send frames for other workers.
  const absl::StatusOr<pid_t> worker =
      StartConfined(confinement, [&] { return JudgeInto(processes_, begin_, end_, to); });
  if (!worker.ok()) return worker.status();
  worker_ = *worker;
  from_ = std::move(pipe->from);
  reader_ = FrameReader();
  most_cpu_seconds_ = processes_.most_cpu_seconds;
  may_set_limit_ = true;
  cpu_at_report_ = {};
  looked_at_ = std::chrono::steady_clock::now();
  return absl::OkStatus();
}

absl::Status Supervisor::Continue(std::span<const pollfd> ready) {
  if ((ready[1].revents & POLLERR) != 0 && printer_.valid()) {  // the reader has closed the pipe
    printer_is_gone_ = true;
    unsent_.clear();
    sent_ = 0;
    if (worker_ < 0) return absl::OkStatus();
    return WorkerEnded(absl::CancelledError("no process receives the reports"));
  }
  Flush();
  if (worker_ < 0) return StartNext();
  if (TookTooLong()) {
    return WorkerEnded(absl::DeadlineExceededError(
        absl::StrCat("it took more than the limit of ", most_cpu_seconds_,
                     " seconds of processor time (cpu_seconds)")));
  }
  return ready[0].revents != 0 ? TakeFrames() : StartNext();
}

// TookTooLong checks every 200 ms, because a worker could ignore its resource limit.
bool Supervisor::TookTooLong() {
  const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
  if (now - looked_at_ < kLookAgainAfter) return false;
  looked_at_ = now;
  const std::optional<std::chrono::nanoseconds> taken = CpuOf(worker_);
  return taken && *taken - cpu_at_report_ > std::chrono::seconds(most_cpu_seconds_);
}

absl::Status Supervisor::TakeFrames() {
  while (unsent_.empty() && !printer_is_gone_) {
    const absl::StatusOr<FrameReader::Taken> taken = reader_.TakeFrom(from_.get());
    if (!taken.ok() || taken->ended) return WorkerEnded(taken.status());
    if (!taken->frame) return absl::OkStatus();
    if (const absl::Status passed = Take(*taken->frame); !passed.ok()) return WorkerEnded(passed);
    // The printer has all reports.
    if (next_ == processes_.files && unsent_.empty()) printer_ = Descriptor();
  }
  return printer_is_gone_ ? WorkerEnded(absl::OkStatus()) : absl::OkStatus();
}

absl::Status Supervisor::Take(const Frame& frame) {
  const bool first = std::exchange(may_set_limit_, false);
  switch (frame.kind) {
    case FrameKind::kReport:
      if (next_ == end_) return NotAskedFor();
      ++next_;
      cpu_at_report_ = CpuOf(worker_).value_or(cpu_at_report_);
      break;
    case FrameKind::kProgress:
      break;
    case FrameKind::kCpuLimit: {
      const std::optional<std::uint64_t> seconds = NumberIn(frame);
      if (!first || !seconds) return NotAskedFor();
      most_cpu_seconds_ = std::min(*seconds, kMostCpuSeconds);
      return absl::OkStatus();
    }
    case FrameKind::kLoss:
      return NotAskedFor();
  }
  Send(frame.kind, frame.bytes);
  return absl::OkStatus();
}

// WorkerEnded handles the end of the worker's pipe. If `passed` is an error, it is the reason why
// no more frames are read.
absl::Status Supervisor::WorkerEnded(const absl::Status& passed) {
  if (worker_ < 0) return absl::OkStatus();
  const absl::Status ended = AfterWorker(EndOfWorker(passed));
  return ended.ok() ? StartNext() : ended;
}

// EndOfWorker waits for the worker. It returns OK if each of its files has a report.
absl::Status Supervisor::EndOfWorker(const absl::Status& passed) {
  // An incomplete report says less than the reason why the worker ended.
  const bool ended = absl::IsDataLoss(passed) && EndsSoon(worker_);
  if (!passed.ok() || printer_is_gone_) ::kill(worker_, SIGKILL);
  const absl::StatusOr<int> code = EndOfConfined(std::exchange(worker_, -1));
  from_ = Descriptor();
  if (!passed.ok() && (!ended || code.ok())) return passed;
  if (!code.ok()) return code.status();
  if (*code == kWorkerOutOfMemory) return absl::ResourceExhaustedError("out of memory");
  if (*code == kWorkerDone && next_ == end_) return absl::OkStatus();
  return absl::InternalError("the confined process failed");
}

// AfterWorker decides how to continue with the files that the worker had begun.
absl::Status Supervisor::AfterWorker(const absl::Status& ended) {
  if (absl::IsFailedPrecondition(ended)) return ended;  // no worker can be confined
  if (ended.ok() || printer_is_gone_) return absl::OkStatus();
  if (end_ == begin_ + 1 && next_ < end_) {
    Lose(ended);
  } else {
    stopped_ = ended;
    alone_before_ = next_ + processes_.at_once;
  }
  return absl::OkStatus();
}

void Supervisor::Lose(const absl::Status& why) {
  ++next_;
  Send(FrameKind::kLoss, AsBytes(std::string(why.message())));
}

void Supervisor::Send(FrameKind kind, Bytes bytes) {
  if (!printer_.valid()) return;  // it reads no more
  AppendFrame(kind, bytes, unsent_);
  Flush();
}

// Flush writes as much as fits into the pipe.
void Supervisor::Flush() {
  while (sent_ < unsent_.size()) {
    const Bytes rest = Bytes(unsent_).subspan(sent_);
    const ssize_t taken = ::write(printer_.get(), rest.data(), rest.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0 && errno == EAGAIN) return;
    if (taken < 0) {
      printer_is_gone_ = true;
      break;
    }
    sent_ += static_cast<std::size_t>(taken);
  }
  unsent_.clear();
  sent_ = 0;
}

absl::Status Supervise(Supervisor& judging, Supervisor& witnessing) {
  const std::array both = {&judging, &witnessing};
  while (!judging.Done() || !witnessing.Done()) {
    const std::array<pollfd, 2> reports = judging.Waits();
    const std::array<pollfd, 2> opinions = witnessing.Waits();
    std::array waits = {reports[0], reports[1], opinions[0], opinions[1]};
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(kLookAgainAfter.count()));
    const int error = ready < 0 && errno != EINTR ? errno : 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
      Supervisor& one = *both.at(i);
      if (one.Done()) continue;
      const absl::Status status = error == 0
                                      ? one.Continue(std::span(waits).subspan(2 * i, 2))
                                      : one.CannotWait(absl::ErrnoToStatus(error, "cannot wait"));
      if (status.ok()) continue;
      one.Stop();
      if (&one == &judging) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace ggufgate
