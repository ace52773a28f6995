// A check in child processes, for a caller that may have threads.
//
// A child with one thread, the helper, does the work of the command. It starts a worker, a witness
// and a printer, which here sends the report on. The caller checks the report as the printer did
// and trusts none of these processes.

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "api/c/judging.h"
#include "bytes/checked.h"
#include "gate/judge.h"
#include "gate/processes/check_plan.h"
#include "gate/processes/received_report.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/report_wire.h"
#include "gate/processes/second_opinion.h"
#include "gate/processes/supervisor.h"
#include "gate/processes/worker_processes.h"

namespace ggufgate::api {
namespace {

using Clock = std::chrono::steady_clock;

// AddressSpaceInUse returns the number of bytes that the caller has mapped. Its children inherit
// them: an interpreter may have reserved more than a worker is allowed. It returns 0 if the system
// gives no answer.
std::uint64_t AddressSpaceInUse() {
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  std::array<char, 32> text{};  // begins with the number of pages
  if (!file.valid() || ::read(file.get(), text.data(), text.size()) <= 0) return 0;
  std::uint64_t pages = 0;
  std::from_chars(text.begin(), text.end(), pages);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return CheckedMul(pages, page_bytes > 0 ? static_cast<std::uint64_t>(page_bytes) : 0).value_or(0);
}

SecondOpinion OpinionWanted(std::int32_t number) {
  switch (number) {
    case GGUFGATE_SECOND_OPINION_SMALL:
      return SecondOpinion::kSmall;
    case GGUFGATE_SECOND_OPINION_NEVER:
      return SecondOpinion::kNever;
    default:
      return SecondOpinion::kAlways;
  }
}

// PlanFor returns the command's plan for one file.
CheckPlan PlanFor(const std::string& path, const Wanted& wanted) {
  const SecondOpinion opinion = OpinionWanted(wanted.second_opinion);
  return {
      .files = {path},
      .readable = {path},
      .jobs = wanted.jobs,
      .second_opinion = opinion,
      .memory_in_use = AddressSpaceInUse(),
      .cpu_seconds = wanted.judge.policy.limits.cpu_seconds,
      .options = [&wanted] { return std::optional(wanted.judge); },
      .policy = [&wanted] { return std::optional(wanted.judge.policy); },
      .judge = [&path](std::size_t, const JudgeOptions& by) { return JudgePath(path, by); },
      .ask = [&path, opinion](std::size_t,
                              const Policy& policy) { return AskWitness(path, opinion, policy); }};
}

// SendOn runs in the printer. It sends the report to `to`.
int SendOn(const CheckPlan& plan, const Policy& policy, const FrameSource& reports,
           const FrameSource& opinions, int to) {
  const std::string& path = plan.files.front();
  const std::optional<Frame> frame = reports();
  FileReport report = frame ? ReceiveReport(path, *frame, policy)
                            : UndecidedFile(path, absl::AbortedError("its report did not arrive"));
  if (plan.second_opinion != SecondOpinion::kNever) {
    report = WithOpinion(std::move(report), opinions(), policy);
  }
  return SendFrame(to, FrameKind::kReport, WriteReport(report)).ok() ? 0 : 1;
}

// Help is the work of the helper. After the report it sends the outcome: a kProgress after success,
// else a kLoss.
void Help(const std::string& path, const Wanted& wanted, int to) {
  ::signal(SIGCHLD, SIG_DFL);  // if it is ignored, the status of a child is lost
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  const CheckPlan plan = PlanFor(path, wanted);
  WorkerProcesses processes = ProcessesFor(plan);
  processes.print = [&](const FrameSource& reports, const FrameSource& opinions) {
    return SendOn(plan, wanted.judge.policy, reports, opinions, to);
  };
  processes.printer.descriptors = {to};
  const absl::StatusOr<int> code = RunInProcesses(processes);
  ::signal(SIGPIPE, SIG_IGN);
  const std::string why =
      code.ok() ? "its report did not arrive" : std::string(code.status().message());
  const bool well = code.ok() && *code == 0;
  // If sending fails, the receiver sees the end of the pipe.
  const absl::Status sent =
      SendFrame(to, well ? FrameKind::kProgress : FrameKind::kLoss, well ? Bytes() : AsBytes(why));
  sent.IgnoreError();
}

// Patience waits for data to read, up to the deadline.
class Patience {
 public:
  Patience(int from, unsigned timeout_ms) : from_(from) {
    if (timeout_ms > 0) end_ = Clock::now() + std::chrono::milliseconds(timeout_ms);
  }

  absl::Status operator()() const {
    while (true) {
      std::array<pollfd, 1> from = {{{.fd = from_, .events = POLLIN, .revents = 0}}};
      const int ready = ::poll(from.data(), from.size(), LeftInMs());
      if (ready > 0) return absl::OkStatus();
      if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "cannot wait");
      if (ready == 0 && LeftInMs() == 0) return absl::DeadlineExceededError("it took too long");
    }
  }

 private:
  [[nodiscard]] int LeftInMs() const {
    if (!end_) return -1;
    constexpr std::int64_t kMost = 60'000;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, kMost));
  }

  int from_;
  std::optional<Clock::time_point> end_;
};

// Receive reads the report and the outcome after it.
FileReport Receive(const std::string& path, const Wanted& wanted, int from) {
  const Patience patience(from, wanted.timeout_ms);
  const absl::StatusOr<std::optional<Frame>> report = ReceiveFrame(from, patience);
  if (!report.ok()) return UndecidedFile(path, report.status());
  const absl::Status none = absl::AbortedError("the worker process did not exit");
  if (!*report) return UndecidedFile(path, none);
  if ((*report)->kind != FrameKind::kReport) {
    return ReceiveReport(path, {.kind = FrameKind::kLoss, .bytes = (*report)->bytes},
                         wanted.judge.policy);
  }
  const absl::StatusOr<std::optional<Frame>> end = ReceiveFrame(from, patience);
  if (!end.ok()) return UndecidedFile(path, end.status());
  if (!*end) return UndecidedFile(path, none);
  if ((*end)->kind != FrameKind::kProgress) {
    return ReceiveReport(path, {.kind = FrameKind::kLoss, .bytes = (*end)->bytes},
                         wanted.judge.policy);
  }
  return ReceiveReport(path, **report, wanted.judge.policy);
}

// Helper owns the child process; the child ends with this object at the latest.
class Helper {
 public:
  explicit Helper(pid_t process) : process_(process) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  // A helper that has sent its outcome is about to exit. Any other helper is killed, and its
  // children end with it. Another thread may have reaped it already.
  ~Helper() {
    if (!ended_well_) ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  void EndsWell() { ended_well_ = true; }

 private:
  pid_t process_;
  bool ended_well_ = false;
};

}  // namespace

FileReport JudgeConfined(const std::string& path, const Wanted& wanted) {
  // For the worker, "-" means standard input.
  const std::string read = path == "-" ? "./-" : path;
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return UndecidedReport(wanted, pipe.status());
  const pid_t process = ::fork();
  if (process < 0) {
    return UndecidedReport(wanted, absl::ErrnoToStatus(errno, "cannot start a process"));
  }
  if (process == 0) {
    try {  // exceptions must not reach the caller's stack frames
      pipe->from = Descriptor();
      Help(read, wanted, pipe->to.get());
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  Helper helper(process);
  pipe->to = Descriptor();  // otherwise the end of the pipe would never come
  FileReport report = Receive(read, wanted, pipe->from.get());
  if (!absl::IsDeadlineExceeded(report.problem)) helper.EndsWell();
  report.path = wanted.name;
  return report;
}

}  // namespace ggufgate::api
