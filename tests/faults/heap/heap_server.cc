// ggufgate-failing-heap: the command with failing allocations. There are about ten thousand
// allocations to fail, each in a separate run, so the program is linked and started only once. It
// reads requests, lines of fields separated by tabs, and answers each with a line.
//
//   PROCESS NUMBER TIMES SECONDS FOLDER STDIN STDOUT STDERR ARGUMENT...
//   code|signal N failed N [hung] [outlived] PROCESS=CALLS...

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "faults/heap/command_main.h"
#include "faults/heap/failing_heap.h"

namespace ggufgate::faults {
namespace {

using Clock = std::chrono::steady_clock;

enum Field { kProcess, kNumber, kTimes, kSeconds, kFolder, kStdin, kStdout, kStderr, kArguments };

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

void Put(int number, const std::string& file, int flags) {
  const int open = ::open(file.c_str(), flags, 0666);
  if (open < 0 || ::dup2(open, number) != number) ::_exit(125);
  if (open != number) ::close(open);
}

[[noreturn]] void Run(const std::vector<std::string>& fields, HeapPlan& plan) {
  ::setpgid(0, 0);
  const rlimit none = {};
  ::setrlimit(RLIMIT_CORE, &none);
  Put(STDIN_FILENO, fields[kStdin], O_RDONLY);
  Put(STDOUT_FILENO, fields[kStdout], O_WRONLY | O_CREAT | O_TRUNC);
  Put(STDERR_FILENO, fields[kStderr], O_WRONLY | O_CREAT | O_TRUNC);
  if (::chdir(fields[kFolder].c_str()) != 0) ::_exit(125);
  static std::string name = "ggufgate";
  std::vector<char*> words = {name.data()};
  std::vector<std::string> arguments(fields.begin() + kArguments, fields.end());
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  BeginFailing(plan);
  std::exit(CommandMain(static_cast<int>(words.size() - 1), words.data()));
}

// Reap waits for the process, or for any with -1, for a limited time. It returns true if there is
// none left.
bool Reap(pid_t process, Clock::time_point until, int& status) {
  while (true) {
    int one = 0;
    const pid_t ended = ::waitpid(process, &one, WNOHANG);
    if (ended < 0) return errno == ECHILD;
    if (ended == process) {
      status = one;
      return true;
    }
    if (Clock::now() > until) return false;
    if (ended == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

std::string Answer(const std::vector<std::string>& fields, HeapPlan& plan) {
  const pid_t child = ::fork();
  if (child == 0) Run(fields, plan);
  ::setpgid(child, child);
  int status = 0;
  const bool ended =
      Reap(child, Clock::now() + std::chrono::seconds(std::stoi(fields[kSeconds])), status);
  int ignored = 0;
  const bool all_ended = ended && Reap(-1, Clock::now() + std::chrono::seconds(5), ignored);
  if (!all_ended) {
    ::kill(-child, SIGKILL);
    Reap(-1, Clock::now() + std::chrono::seconds(5), ignored);
  }
  std::string answer = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                           : "code " + std::to_string(WEXITSTATUS(status));
  answer += " failed " + std::to_string(plan.failed.load());
  if (!ended) answer += " hung";
  if (ended && !all_ended) answer += " outlived";
  for (std::size_t i = 0; i < plan.used.load() && i < plan.uses.size(); ++i) {
    answer += ' ' + std::string(plan.uses[i].process.data()) + '=' +
              std::to_string(plan.uses[i].calls.load());
  }
  return answer;
}

int Serve() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  void* const shared =
      ::mmap(nullptr, sizeof(HeapPlan), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    const std::vector<std::string> fields = Fields(line);
    line.clear();
    if (fields.size() <= kArguments) return 2;
    auto* const plan = new (shared) HeapPlan();
    std::snprintf(plan->process.data(), plan->process.size(), "%s", fields[kProcess].c_str());
    plan->number = static_cast<unsigned>(std::stoul(fields[kNumber]));
    plan->times = static_cast<unsigned>(std::stoul(fields[kTimes]));
    std::puts(Answer(fields, *plan).c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace ggufgate::faults

int main() { return ggufgate::faults::Serve(); }
