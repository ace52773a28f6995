#include "gate/processes/worker_processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "gate/processes/signal_forwarding.h"
#include "gate/processes/supervisor.h"

namespace ggufgate {
namespace {

// While it lives, a write to a pipe without a reader is an error of write(), not a signal.
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

// FramesFrom skips kCpuLimit frames: without a supervisor, they reach the printer.
FrameSource FramesFrom(int descriptor) {
  return [descriptor]() -> std::optional<Frame> {
    while (true) {
      absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(descriptor);
      if (!frame.ok()) throw std::runtime_error(std::string(frame.status().message()));
      if (*frame && (*frame)->kind == FrameKind::kCpuLimit) continue;
      return *std::move(frame);
    }
  };
}

// ForWitness returns the processes with the witness in the role of the worker.
WorkerProcesses ForWitness(const WorkerProcesses& processes) {
  WorkerProcesses second = processes;
  second.at_once = 1;
  second.judge = processes.witness;
  second.before_worker = processes.before_witness;
  second.read_once = [](std::size_t) { return false; };  // the witness does not read standard input
  second.worker.spools = false;
  return second;
}

// The two pipes whose reading end the printer has.
struct Pipes {
  Pipe reports;
  Pipe opinions;
};

absl::StatusOr<Pipes> MakePipes() {
  absl::StatusOr<Pipe> reports = MakePipe();
  if (!reports.ok()) return reports.status();
  absl::StatusOr<Pipe> opinions = MakePipe();
  if (!opinions.ok()) return opinions.status();
  return Pipes{.reports = *std::move(reports), .opinions = *std::move(opinions)};
}

absl::StatusOr<int> RunBesideEachOther(const WorkerProcesses& processes) {
  absl::StatusOr<Pipes> pipes = MakePipes();
  if (!pipes.ok()) return pipes.status();
  const auto judge = [](const WorkerProcesses& by, Pipe& pipe) {
    const auto besides = by.before_worker && by.judge
                             ? by.before_worker()
                             : absl::StatusOr<std::vector<Descriptor>>(std::vector<Descriptor>());
    // NOLINTNEXTLINE(bugprone-unused-return-value)
    if (by.judge) std::ignore = JudgeInto(by, 0, by.files, pipe.to.get());
    pipe.to = Descriptor();
  };
  const WorkerProcesses second = ForWitness(processes);
  std::thread worker([&] { judge(processes, pipes->reports); });
  std::thread witness([&] { judge(second, pipes->opinions); });
  const auto finish = [&] {
    pipes->reports.from = Descriptor();
    pipes->opinions.from = Descriptor();
    worker.join();
    witness.join();
  };
  try {
    const int code = processes.print(FramesFrom(pipes->reports.from.get()),
                                     FramesFrom(pipes->opinions.from.get()));
    finish();
    return code;
  } catch (...) {
    finish();
    throw;
  }
}

// WaitForEnd waits without reaping the child, so that its exit status remains available.
void WaitForEnd(pid_t child) {
  siginfo_t end = {};
  while (::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

// SuperviseBoth returns when both pipes are closed.
absl::Status SuperviseBoth(const WorkerProcesses& processes, Pipes& pipes) {
  const WorkerProcesses second = ForWitness(processes);
  Supervisor judging(processes, pipes.reports.to);
  Supervisor witnessing(second, pipes.opinions.to);
  if (absl::Status begun = judging.Begin(); !begun.ok()) return begun;
  // Without opinions the printer accepts no file.
  if (!processes.witness || !witnessing.Begin().ok()) witnessing.Stop();
  return Supervise(judging, witnessing);
}

}  // namespace

absl::StatusOr<int> RunInProcesses(const WorkerProcesses& processes) {
  const BrokenPipesAreErrors during;
  if (!ConfinementIsBuiltIn()) return RunBesideEachOther(processes);
  absl::StatusOr<Pipes> pipes = MakePipes();
  if (!pipes.ok()) return pipes.status();
  const int reports = pipes->reports.from.get();
  const int opinions = pipes->opinions.from.get();
  const absl::StatusOr<pid_t> printer =
      StartConfined(Keeping(Keeping(processes.printer, reports), opinions),
                    [&] { return processes.print(FramesFrom(reports), FramesFrom(opinions)); });
  if (!printer.ok()) return printer.status();
  pipes->reports.from = Descriptor();
  pipes->opinions.from = Descriptor();
  std::optional<SignalForwarding> forwarding;
  if (processes.printer_tidies) forwarding.emplace(*printer);
  const absl::Status supervised = SuperviseBoth(processes, *pipes);
  WaitForEnd(*printer);
  forwarding.reset();  // before its process id can be reused
  absl::StatusOr<int> code = EndOfConfined(*printer);
  return supervised.ok() ? code : supervised;
}

}  // namespace ggufgate
