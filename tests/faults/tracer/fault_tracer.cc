// fault-tracer runs a command and makes system calls of its processes fail.
//
//   fault-tracer --report FILE [--seconds N] [--fault FAULT]... -- COMMAND [ARGUMENT...]
//
// It works from outside, with ptrace: on the released program, for any kind of linking, on calls of
// the C library itself, and in processes that a filter of system calls confines. fault.h describes
// FAULT. Calls are counted from fcntl(0, F_GETFD) on, the first call of main(); the calls of the
// dynamic linker do not count. FILE gets a line for each fact:
//
//   count PROCESS CALL N     calls made in total
//   fault PROCESS CALL N FILE  where a fault happened, and how often the process had called write()
//   end PROCESS code|signal N
//   outlived PROCESS         it was there five seconds after the command
//   hung                     the command took longer than N seconds; all processes were killed
//
// The exit code is 0 if FILE is complete, 2 otherwise.

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "faults/tracer/fault.h"
#include "faults/tracer/tracee.h"

namespace ggufgate::faults {
namespace {

constexpr unsigned kSecondsToOutlive = 5;

volatile std::sig_atomic_t alarmed = 0;

struct Process {
  std::string name;
  pid_t id = 0;
  bool counts = false;
  unsigned forks = 0;
  bool is_other = false;  // runs another program now
  std::map<std::string, unsigned> calls;
};

struct Thread {
  std::shared_ptr<Process> process;
  bool fresh = true;           // the tracer causes its first stop
  std::optional<long> result;  // the result that its call will return
};

// Count increments a counter at its end.
class Count {
 public:
  explicit Count(unsigned& number) : number_(number) {}
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;
  ~Count() { ++number_; }

 private:
  unsigned& number_;
};

class Tracer {
 public:
  Tracer(std::vector<Fault> faults, std::ostream& report)
      : faults_(std::move(faults)), report_(report) {}

  void Run(pid_t command, unsigned seconds) {
    outer_ = command;
    auto process = std::make_shared<Process>(Process{.name = "0", .id = command, .calls = {}});
    processes_.push_back(process);
    threads_[command] = {.process = process, .fresh = false, .result = {}};
    ::alarm(seconds);
    while (!threads_.empty()) {
      int status = 0;
      const pid_t thread = ::waitpid(-1, &status, __WALL);
      if (thread > 0) {
        Take(thread, status);
      } else if (errno != EINTR) {
        break;
      }
      if (alarmed != 0) GiveUp();
    }
    for (const auto& one : processes_) {
      for (const auto& [name, count] : one->calls) {
        report_ << "count " << one->name << ' ' << name << ' ' << count << '\n';
      }
    }
  }

 private:
  void GiveUp() {
    alarmed = 0;
    std::set<std::string> left;
    for (const auto& [id, thread] : threads_) {
      left.insert(thread.process->name);
      ::kill(thread.process->id, SIGKILL);
    }
    if (outer_ended_) {
      for (const std::string& name : left) report_ << "outlived " << name << '\n';
    } else {
      report_ << "hung\n";
    }
    ::alarm(kSecondsToOutlive);
  }

  void Take(pid_t id, int status) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) return End(id, status);
    if (!WIFSTOPPED(status)) return;
    const auto found = threads_.find(id);
    if (found == threads_.end()) {  // its parent has not reported it yet
      early_.insert(id);
      return;
    }
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    int deliver = 0;
    if (signal == (SIGTRAP | 0x80)) {
      TakeCall(id, found->second);
    } else if (event != 0) {
      TakeEvent(id, found->second, event);
    } else if (signal == SIGSTOP && found->second.fresh) {
      found->second.fresh = false;
    } else {
      deliver = signal;
    }
    Go(id, deliver);
  }

  static void Go(pid_t id, int signal) { ::ptrace(PTRACE_SYSCALL, id, nullptr, signal); }

  void End(pid_t id, int status) {
    const auto found = threads_.find(id);
    if (found == threads_.end()) return;
    const Process& process = *found->second.process;
    if (process.id == id) {
      report_ << "end " << process.name << (WIFEXITED(status) ? " code " : " signal ")
              << (WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)) << '\n';
    }
    if (id == outer_) {
      outer_ended_ = true;
      ::alarm(kSecondsToOutlive);
    }
    threads_.erase(found);
  }

  void TakeEvent(pid_t id, const Thread& thread, int event) {
    if (event == PTRACE_EVENT_EXEC) {
      thread.process->counts = false;  // another program's thread
      thread.process->is_other = true;
      return;
    }
    if (event != PTRACE_EVENT_FORK && event != PTRACE_EVENT_VFORK && event != PTRACE_EVENT_CLONE) {
      return;
    }
    unsigned long message = 0;
    if (::ptrace(PTRACE_GETEVENTMSG, id, nullptr, &message) != 0) return;
    const auto child = static_cast<pid_t>(message);
    Thread one{.process = thread.process, .fresh = true, .result = {}};
    if (ProcessOf(child) == child) {
      Process& parent = *thread.process;
      one.process = std::make_shared<Process>(
          Process{.name = parent.name + '.' + std::to_string(++parent.forks),
                  .id = child,
                  .counts = parent.counts,
                  .calls = {}});
      processes_.push_back(one.process);
    }
    const bool waits = early_.erase(child) != 0;
    one.fresh = !waits;
    threads_[child] = std::move(one);
    if (waits) Go(child, 0);
  }

  void TakeCall(pid_t id, Thread& thread) {
    const std::optional<SystemCall> call = CallOf(id);
    if (!call) return;
    if (!call->entering) {
      if (thread.result) SetResult(id, *thread.result);
      thread.result.reset();
      return;
    }
    Process& process = *thread.process;
    if (!process.counts && !process.is_other && call->number == SYS_fcntl &&
        call->arguments[0] == STDIN_FILENO && call->arguments[1] == F_GETFD) {
      process.counts = true;
    }
    if (!process.counts) return;
    const std::string name = NameOf(call->number);
    const std::string file = FileOf(id, *call);
    // Counted at the end, because this call is not made yet.
    const Count counted(process.calls[name]);
    for (Fault& fault : faults_) {
      if (!fault.Happens(process.name, name, file)) continue;
      if (!Inject(id, thread, *call, fault)) continue;
      report_ << "fault " << process.name << ' ' << name << ' ' << process.calls["write"] << ' '
              << file << '\n';
      return;
    }
  }

  // Inject returns false if the fault does not apply.
  bool Inject(pid_t id, Thread& thread, const SystemCall& call, const Fault& fault) {
    switch (fault.what) {
      case Fault::What::kError:
        // Linux closes the descriptor even if close() reports an error.
        thread.result = -fault.value;
        return call.number == SYS_close || Replace(id);
      case Fault::What::kZero:
        thread.result = 0;
        return Replace(id);
      case Fault::What::kShort:
        if (call.arguments[2] <= 1) return false;
        return SetLength(id, 1);
      case Fault::What::kSignal:
        ::kill(fault.to == Fault::To::kSelf    ? thread.process->id
               : fault.to == Fault::To::kOuter ? outer_
                                               : -outer_,
               fault.value);
        return true;
      case Fault::What::kRun:
        return std::system(fault.command.c_str()) == 0;
    }
    return false;
  }

  std::vector<Fault> faults_;
  std::ostream& report_;
  pid_t outer_ = 0;
  bool outer_ended_ = false;
  std::map<pid_t, Thread> threads_;
  std::set<pid_t> early_;
  std::vector<std::shared_ptr<Process>> processes_;
};

// Start starts the command, stopped and in a separate process group.
pid_t Start(char** command) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    Trace();
    ::execvp(*command, command);
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
  return FollowAll(child) && ::ptrace(PTRACE_SYSCALL, child, nullptr, 0) == 0 ? child : -1;
}

int Main(int count, char** words) {
  std::vector<Fault> faults;
  std::string report_to;
  unsigned seconds = 30;
  int at = 1;
  for (; at + 1 < count && std::string(words[at]) != "--"; at += 2) {
    const std::string option = words[at];
    if (option == "--report") {
      report_to = words[at + 1];
    } else if (option == "--seconds") {
      seconds = static_cast<unsigned>(std::stoul(words[at + 1]));
    } else if (option == "--fault") {
      std::optional<Fault> fault = ParseFault(words[at + 1]);
      if (!fault) {
        std::cerr << "fault-tracer: no fault: " << words[at + 1] << '\n';
        return 2;
      }
      faults.push_back(*std::move(fault));
    } else {
      break;
    }
  }
  if (at + 1 >= count || std::string(words[at]) != "--" || report_to.empty()) {
    std::cerr << "usage: fault-tracer --report FILE [--seconds N] [--fault FAULT]... -- COMMAND\n";
    return 2;
  }
  struct sigaction on_alarm = {};
  on_alarm.sa_handler = [](int) { alarmed = 1; };
  ::sigaction(SIGALRM, &on_alarm, nullptr);  // without SA_RESTART
  std::ofstream report(report_to);
  const pid_t command = Start(words + at + 1);
  if (command < 0) {
    std::cerr << "fault-tracer: cannot trace: " << words[at + 1] << '\n';
    return 2;
  }
  Tracer(std::move(faults), report).Run(command, seconds);
  report.flush();
  return report ? 0 : 2;
}

}  // namespace
}  // namespace ggufgate::faults

int main(int count, char** words) { return ggufgate::faults::Main(count, words); }
