// A check in child processes, for a caller that may have threads.
//
// A child of one thread, the helper, does what the command does: it starts a worker, a witness and
// a printer, which here sends the report on. The caller takes it as the printer took it: believing
// nothing.

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
#include "gate/processes/report_frames.h"
#include "gate/processes/report_wire.h"
#include "gate/processes/second_opinion.h"
#include "gate/processes/supervisor.h"
#include "gate/processes/taken_report.h"
#include "gate/processes/worker_processes.h"

namespace ggufgate::api {
namespace {

using Clock = std::chrono::steady_clock;

// AddressSpaceInUse is what the caller has mapped, of which its children have as much: an
// interpreter may have reserved more than a judge is allowed. 0 where the system does not say.
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

// PlanFor is the command's plan for one file.
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
      .judge = [&path](std::size_t, const JudgeOptions& by) { return JudgePath(path, by); },
      .ask = [&path, opinion](std::size_t,
                              const Policy& policy) { return AskWitness(path, opinion, policy); }};
}

// SendOn runs in the printer. It sends the report into `to`.
int SendOn(const CheckPlan& plan, const Policy& policy, const FrameSource& reports,
           const FrameSource& opinions, int to) {
  const std::string& path = plan.files.front();
  const std::optional<Frame> frame = reports();
  FileReport report = frame ? TakeReport(path, *frame, policy)
                            : UndecidedFile(path, absl::AbortedError("no report of it came"));
  if (plan.second_opinion != SecondOpinion::kNever) {
    report = WithOpinion(std::move(report), opinions(), policy);
  }
  return SendFrame(to, FrameKind::kReport, WriteReport(report)).ok() ? 0 : 1;
}

// Help is all that the helper does. Behind the report it sends what came of it: a kProgress when
// all ended well, else a kLoss.
void Help(const std::string& path, const Wanted& wanted, int to) {
  ::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns how a child ended
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  const CheckPlan plan = PlanFor(path, wanted);
  WorkerProcesses processes = ProcessesFor(plan);
  processes.print = [&](const FrameSource& reports, const FrameSource& opinions) {
    return SendOn(plan, wanted.judge.policy, reports, opinions, to);
  };
  processes.printer.descriptors = {to};
  const absl::StatusOr<int> code = RunInProcesses(processes);
  ::signal(SIGPIPE, SIG_IGN);
  const std::string why = code.ok() ? "no report of it came" : std::string(code.status().message());
  const bool well = code.ok() && *code == 0;
  // Whoever does not get it knows what that means.
  const absl::Status sent =
      SendFrame(to, well ? FrameKind::kProgress : FrameKind::kLoss, well ? Bytes() : AsBytes(why));
  sent.IgnoreError();
}

// Patience waits for something to read, but not beyond the deadline.
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

// Receive takes the report and the word behind it.
FileReport Receive(const std::string& path, const Wanted& wanted, int from) {
  const Patience patience(from, wanted.timeout_ms);
  const absl::StatusOr<std::optional<Frame>> report = ReceiveFrame(from, patience);
  if (!report.ok()) return UndecidedFile(path, report.status());
  const absl::Status none = absl::AbortedError("the process that judges did not end by itself");
  if (!*report) return UndecidedFile(path, none);
  if ((*report)->kind != FrameKind::kReport) {
    return TakeReport(path, {.kind = FrameKind::kLoss, .bytes = (*report)->bytes},
                      wanted.judge.policy);
  }
  const absl::StatusOr<std::optional<Frame>> end = ReceiveFrame(from, patience);
  if (!end.ok()) return UndecidedFile(path, end.status());
  if (!*end) return UndecidedFile(path, none);
  if ((*end)->kind != FrameKind::kProgress) {
    return TakeReport(path, {.kind = FrameKind::kLoss, .bytes = (*end)->bytes},
                      wanted.judge.policy);
  }
  return TakeReport(path, **report, wanted.judge.policy);
}

// Helper is the child; it has ended when this has.
class Helper {
 public:
  explicit Helper(pid_t process) : process_(process) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  // One that has said all is about to end by itself; who has not is not waited for. Its children
  // end with it. Somebody else may have waited for it already.
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
  // For the judge, "-" is standard input.
  const std::string read = path == "-" ? "./-" : path;
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return UndecidedReport(wanted, pipe.status());
  const pid_t process = ::fork();
  if (process < 0) {
    return UndecidedReport(wanted, absl::ErrnoToStatus(errno, "cannot start a process"));
  }
  if (process == 0) {
    try {  // lets no exception out: what is above it in the stack is the caller's
      pipe->from = Descriptor();
      Help(read, wanted, pipe->to.get());
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  Helper helper(process);
  pipe->to = Descriptor();  // or the end would never come
  FileReport report = Receive(read, wanted, pipe->from.get());
  if (!absl::IsDeadlineExceeded(report.problem)) helper.EndsWell();
  report.path = wanted.name;
  return report;
}

}  // namespace ggufgate::api
