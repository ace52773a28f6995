// If the parent of a process ends before the process could ask for a signal, the process must not
// begin its work. To end the parent at just that moment, code runs in a child of fork() before
// fork() returns.

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "gate/processes/worker_processes.h"

namespace ggufgate {
namespace {

// Processes are named by the forks that lead to them: "/2/1" is the first child of the second
// child.
std::string* name = nullptr;  // null: not counted
std::string orphan;
unsigned forks = 0;

void InChild() {
  if (name == nullptr) return;
  *name += "/" + std::to_string(forks);
  forks = 0;
  if (*name != orphan) return;
  const pid_t parent = ::getppid();
  ::kill(parent, SIGKILL);
  while (::getppid() == parent) ::usleep(100);
}

// Begun returns one letter for each process that began its work after `lost` had lost its parent.
std::string Begun(const std::string& lost) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const auto note = [to = ends[1]](const char* letter) { return ::write(to, letter, 1) == 1; };
  WorkerProcesses processes{.files = 1, .read_once = [](std::size_t) { return false; }};
  const auto judge = [&](const char* letter) {
    return [&note, letter](std::size_t, std::size_t, const FrameSender& send) {
      if (note(letter)) send(FrameKind::kReport, {});
    };
  };
  processes.judge = judge("j");
  processes.witness = judge("w");
  processes.print = [&](const FrameSource& reports, const FrameSource& opinions) {
    note("p");
    while (reports()) {
    }
    while (opinions()) {
    }
    return 0;
  };
  processes.worker.descriptors = {ends[1]};
  processes.printer.descriptors = {ends[1]};

  static const int once = ::pthread_atfork([] { ++forks; }, nullptr, &InChild);
  EXPECT_EQ(once, 0);
  const pid_t run = ::fork();
  if (run == 0) {
    orphan = lost;
    forks = 0;
    name = new std::string();
    ::_exit(RunInProcesses(processes).ok() ? 0 : 1);
  }
  ::close(ends[1]);
  std::string begun;
  for (char letter = 0; ::read(ends[0], &letter, 1) == 1;) begun += letter;  // until all have ended
  ::close(ends[0]);
  ::waitpid(run, nullptr, 0);
  return begun;
}

bool Has(const std::string& text, char letter) { return text.find(letter) != std::string::npos; }

TEST(ParentDeath, ItIsNoticedHoweverSoonItComes) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build judges in one process";
  EXPECT_EQ(Begun("nobody").size(), 3U);
  EXPECT_FALSE(Has(Begun("/1"), 'p')) << "the printer";
  EXPECT_FALSE(Has(Begun("/2"), 'j')) << "the worker";
  EXPECT_FALSE(Has(Begun("/3"), 'w')) << "the witness";
}

}  // namespace
}  // namespace ggufgate
