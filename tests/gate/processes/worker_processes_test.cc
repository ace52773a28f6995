#include "gate/processes/worker_processes.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "gate/judge_all.h"
#include "gate/processes/report_wire.h"
#include "parse/model.h"
#include "tests/support/sizes.h"
#include "tests/support/system/failing_calls.h"
#include "tests/support/temp_folder.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Trial is a run whose reports are the numbers of the files. The printer writes its output to a
// separate file that is already open, because it has no other output.
class Trial {
 public:
  explicit Trial(std::size_t files) : notes_(folder_.WriteText("notes", "")) {
    processes_.files = files;
    processes_.at_once = 8;
    processes_.read_once = [](std::size_t) { return false; };
    processes_.judge = [](std::size_t begin, std::size_t end, const FrameSender& send) {
      for (std::size_t file = begin; file < end; ++file) SendNumber(file, send);
    };
    processes_.worker.descriptors.emplace();
  }

  static void SendNumber(std::size_t file, const FrameSender& send) {
    const std::string text = std::to_string(file);
    send(FrameKind::kReport, AsBytes(text));
  }

  WorkerProcesses& processes() { return processes_; }

  // Lines returns one line per file, or the reason why the whole run failed.
  std::vector<std::string> Lines() {
    const int notes = ::open(notes_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    processes_.printer.descriptors = {notes};
    processes_.print = [notes](const FrameSource& next, const FrameSource& /*opinions*/) {
      while (const std::optional<Frame> frame = next()) {
        std::string line(AsText(frame->bytes));
        if (frame->kind == FrameKind::kLoss) line.insert(0, "lost: ");
        line += '\n';
        if (::write(notes, line.data(), line.size()) < 0) return 1;
      }
      return 7;
    };
    const absl::StatusOr<int> code = RunInProcesses(processes_);
    ::close(notes);
    if (!code.ok()) return {std::string(code.status().message())};
    EXPECT_EQ(*code, 7);
    return Noted();
  }

 private:
  std::vector<std::string> Noted() const {
    std::vector<std::string> lines;
    const int notes = ::open(notes_.c_str(), O_RDONLY | O_CLOEXEC);
    std::string line;
    char c = 0;
    while (::read(notes, &c, 1) == 1) {
      if (c != '\n') {
        line += c;
        continue;
      }
      lines.push_back(line);
      line.clear();
    }
    ::close(notes);
    return lines;
  }

  testing::TempFolder folder_;
  std::string notes_;
  WorkerProcesses processes_;
};

std::vector<std::string> Numbers(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

// Kill kills the worker at some files, before or after it has begun others.
void Kill(Trial& run, const std::set<std::size_t>& killers) {
  run.processes().judge = [killers](std::size_t begin, std::size_t end, const FrameSender& send) {
    for (std::size_t file = begin; file < end; ++file) {
      if (killers.contains(file)) ::abort();
      Trial::SendNumber(file, send);
    }
  };
}

#define SKIP_WITHOUT_CONFINEMENT() \
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build judges in one process"

TEST(WorkerProcesses, BringReportsInOrder) {
  EXPECT_EQ(Trial(0).Lines(), Numbers(0));
  EXPECT_EQ(Trial(1).Lines(), Numbers(1));
  EXPECT_EQ(Trial(500).Lines(), Numbers(500));
}

TEST(WorkerProcesses, LoseOneFileToAKillerWhereverItIs) {
  SKIP_WITHOUT_CONFINEMENT();
  for (std::size_t killer = 0; killer < 12; ++killer) {
    Trial run(12);
    Kill(run, {killer});
    std::vector<std::string> expected = Numbers(12);
    expected.at(killer) = "lost: the confined process was stopped by SIGABRT";
    EXPECT_EQ(run.Lines(), expected) << killer;
  }
}

TEST(WorkerProcesses, LoseTheKillersAndNoOther) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(100);
  const std::set<std::size_t> killers = {0, 1, 9, 10, 17, 50, 98, 99};
  Kill(run, killers);
  const std::vector<std::string> lines = run.Lines();
  ASSERT_EQ(lines.size(), 100U);
  for (std::size_t file = 0; file < 100; ++file) {
    EXPECT_EQ(lines.at(file).starts_with("lost: "), killers.contains(file)) << file;
  }
}

// Ten thousand real files. One of them kills each process that reads it.
TEST(WorkerProcesses, BringAllVerdictsButOne) {
  SKIP_WITHOUT_CONFINEMENT();
  constexpr std::size_t kFiles = testing::kFullLength ? 10'000 : 1'000;
  constexpr std::size_t kKiller = kFiles / 9 * 7;
  const testing::TempFolder folder;
  const std::vector<std::uint8_t> sound = Write(Model::Minimal());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < kFiles; ++i) paths.push_back(folder.Write(std::to_string(i), sound));
  const std::string killer = paths.at(kKiller);

  Trial run(paths.size());
  run.processes().at_once = 4;
  run.processes().worker.readable = {folder.path()};
  run.processes().judge = [&](std::size_t begin, std::size_t end, const FrameSender& send) {
    const std::vector<std::string> part(paths.begin() + static_cast<std::ptrdiff_t>(begin),
                                        paths.begin() + static_cast<std::ptrdiff_t>(end));
    JudgeAll(part, JudgeOptions(), 2, [&](const FileReport& report) {
      if (report.path == killer) ::abort();
      send(FrameKind::kReport, AsBytes(WordFor(report.verdict)));
    });
  };
  const std::vector<std::string> lines = run.Lines();
  ASSERT_EQ(lines.size(), paths.size());
  EXPECT_EQ(std::ranges::count(lines, "accept"), kFiles - 1);
  EXPECT_EQ(lines.at(kKiller), "lost: the confined process was stopped by SIGABRT");
}

TEST(WorkerProcesses, SayWhyAFileIsLost) {
  SKIP_WITHOUT_CONFINEMENT();
  const auto reason = [](const std::function<void(const FrameSender&)>& act) {
    Trial run(1);
    run.processes().judge = [&](std::size_t, std::size_t, const FrameSender& send) { act(send); };
    return run.Lines().front();
  };
  EXPECT_EQ(reason([](const FrameSender&) { throw std::bad_alloc(); }), "lost: out of memory");
  EXPECT_EQ(reason([](const FrameSender&) {}), "lost: the confined process failed");
  EXPECT_THAT(reason([](const FrameSender&) { ::execl("/bin/true", "true", nullptr); }),
              HasSubstr("made a system call that is not allowed"));
  EXPECT_EQ(reason([](const FrameSender& send) { send(FrameKind::kLoss, {}); }),
            "lost: a worker sent an unexpected message");
}

TEST(WorkerProcesses, TakeNoMoreReportsThanFiles) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(2);
  run.processes().judge = [](std::size_t, std::size_t, const FrameSender& send) {
    for (std::size_t i = 0; i < 5; ++i) Trial::SendNumber(i, send);
  };
  EXPECT_EQ(run.Lines(), Numbers(2));
}

// An incomplete frame that a worker has written is dropped.
TEST(WorkerProcesses, LoseAFileWhoseReportIsBrokenOff) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(1);
  run.processes().judge = [](std::size_t, std::size_t, const FrameSender&) {
    for (int pipe = 0; pipe < 64; ++pipe) {
      [[maybe_unused]] const ssize_t put = ::write(pipe, "\0\377", 2);
    }
  };
  EXPECT_EQ(run.Lines(), std::vector<std::string>({"lost: a report was cut off"}));
}

TEST(WorkerProcesses, SayWhatEndedAWorkerInTheMiddleOfAReport) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(1);
  run.processes().judge = [](std::size_t, std::size_t, const FrameSender&) {
    for (int pipe = 0; pipe < 64; ++pipe) {
      [[maybe_unused]] const ssize_t put = ::write(pipe, "\0\377", 2);
    }
    ::abort();
  };
  EXPECT_EQ(run.Lines(),
            std::vector<std::string>({"lost: the confined process was stopped by SIGABRT"}));
}

TEST(WorkerProcesses, AWorkerHasNoDescriptorButItsPipe) {
  SKIP_WITHOUT_CONFINEMENT();
  const testing::TempFolder folder;
  const std::string secret = folder.WriteText("secret", "secret");
  const int open = ::open(secret.c_str(), O_RDWR);  // without O_CLOEXEC, like a careless caller
  Trial run(1);
  run.processes().judge = [](std::size_t, std::size_t, const FrameSender& send) {
    std::string usable;
    for (int number = 0; number < 4096; ++number) {
      char byte = 0;
      if (::read(number, &byte, 0) == 0 || ::write(number, &byte, 0) == 0) usable += 'x';
    }
    send(FrameKind::kReport, AsBytes(usable));
  };
  EXPECT_EQ(run.Lines(), std::vector<std::string>({"x"}));
  ::close(open);
}

TEST(WorkerProcesses, DoNotReadTwiceWhatCanBeReadOnce) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(12);
  Kill(run, {2});
  run.processes().read_once = [](std::size_t file) { return file == 4; };
  std::vector<std::string> expected = Numbers(12);
  expected.at(2) = expected.at(4) = "lost: the confined process was stopped by SIGABRT";
  EXPECT_EQ(run.Lines(), expected);
}

void Compute(std::chrono::milliseconds time) {
  const auto taken = [] { return std::chrono::milliseconds(std::clock() * 1000 / CLOCKS_PER_SEC); };
  const std::chrono::milliseconds begin = taken();
  while (taken() - begin < time) {
  }
}

TEST(WorkerProcesses, LoseAFileThatTakesTooMuchProcessorTime) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "there is no worker in this build";
  Trial trial(4);
  trial.processes().most_cpu_seconds = 1;
  trial.processes().judge = [](std::size_t begin, std::size_t end, const FrameSender& send) {
    // The first step of an attacker who controls the worker.
    ::signal(SIGXCPU, SIG_IGN);
    for (std::size_t file = begin; file < end; ++file) {
      if (file == 2) Compute(std::chrono::hours(1));
      Trial::SendNumber(file, send);
    }
  };
  EXPECT_THAT(
      trial.Lines(),
      ElementsAre("0", "1",
                  "lost: it took more than the limit of 1 seconds of processor time (cpu_seconds)",
                  "3"));
}

// The limit applies to one file: many files that take half of it each are checked.
TEST(WorkerProcesses, ProcessorTimeIsCountedFromReportToReport) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "there is no worker in this build";
  Trial trial(5);
  trial.processes().judge = [](std::size_t begin, std::size_t end, const FrameSender& send) {
    send(FrameKind::kCpuLimit, FrameOfNumber(1));
    for (std::size_t file = begin; file < end; ++file) {
      Compute(std::chrono::milliseconds(500));
      // The worker's first file identifies the worker.
      send(FrameKind::kReport, AsBytes(std::to_string(begin)));
    }
  };
  EXPECT_THAT(trial.Lines(), ElementsAre("0", "0", "0", "0", "0"));
}

// A worker that a file controls cannot give itself more time.
TEST(WorkerProcesses, OnlyTheFirstFrameSetsTheLimit) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "there is no worker in this build";
  for (const FrameKind before : {FrameKind::kCpuLimit, FrameKind::kProgress}) {
    Trial trial(1);
    trial.processes().judge = [before](std::size_t begin, std::size_t, const FrameSender& send) {
      send(before, FrameOfNumber(1));
      send(FrameKind::kCpuLimit, FrameOfNumber(1'000'000));
      Trial::SendNumber(begin, send);
    };
    EXPECT_EQ(trial.Lines().back(), "lost: a worker sent an unexpected message");
  }
}

TEST(WorkerProcesses, EndWhenThePrinterDoes) {
  Trial run(100'000);
  run.processes().printer.descriptors.emplace();
  run.processes().print = [](const FrameSource& next, const FrameSource& /*opinions*/) {
    for (int i = 0; i < 3; ++i) next();
    return 5;
  };
  const absl::StatusOr<int> code = RunInProcesses(run.processes());
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(*code, 5);
}

TEST(WorkerProcesses, TellOfAPrinterThatIsStopped) {
  SKIP_WITHOUT_CONFINEMENT();
  Trial run(10);
  run.processes().printer.descriptors.emplace();
  run.processes().print = [](const FrameSource&, const FrameSource&) -> int { ::abort(); };
  const absl::StatusOr<int> code = RunInProcesses(run.processes());
  ASSERT_FALSE(code.ok());
  EXPECT_THAT(std::string(code.status().message()), HasSubstr("SIGABRT"));
}

// Copying a second opinion allocates memory, and that fails outside of `home`.
struct CopiedAtHomeAlone {
  explicit CopiedAtHomeAlone(pid_t process) : home(process) {}
  CopiedAtHomeAlone(const CopiedAtHomeAlone& other) : home(other.home) {
    if (::getpid() != home) throw std::bad_alloc();
  }
  CopiedAtHomeAlone& operator=(const CopiedAtHomeAlone&) = delete;
  ~CopiedAtHomeAlone() = default;
  void operator()(std::size_t, std::size_t, const FrameSender&) const {}
  pid_t home;
};

int PrintAll(const FrameSource& reports, const FrameSource& opinions) {
  while (reports()) {
  }
  while (opinions()) {
  }
  return 3;
}

// The stack frames above belong to the parent: the child would print, write and remove the parent's
// files.
TEST(WorkerProcesses, ChildrenCopyNothingThatMayThrow) {
  SKIP_WITHOUT_CONFINEMENT();
  EXPECT_EQ(testing::InChild([]() -> std::string {
              Trial run(1);
              run.processes().witness = CopiedAtHomeAlone(::getpid());
              run.processes().print = &PrintAll;
              run.processes().printer.descriptors.emplace();
              try {
                const absl::StatusOr<int> code = RunInProcesses(run.processes());
                return code.ok() ? std::to_string(*code) : "failed";
              } catch (const std::bad_alloc&) {
                return "an exception came out";
              }
            }),
            "3");
}

// Its opinions fill a pipe that the printer does not read before it has the reports.
TEST(WorkerProcesses, NobodyWaitsForTheWitnessWhenMemoryHasEnded) {
  SKIP_WITHOUT_CONFINEMENT();
  EXPECT_EQ(testing::InChild([]() -> std::string {
              ::alarm(20);
              Trial run(100'000);
              Kill(run, {0});
              run.processes().witness = [](std::size_t begin, std::size_t end,
                                           const FrameSender& send) {
                for (std::size_t file = begin; file < end; ++file) Trial::SendNumber(file, send);
              };
              run.processes().read_once = [](std::size_t) -> bool {
                ::usleep(200'000);  // now the pipe is full
                throw std::bad_alloc();
              };
              run.processes().print = &PrintAll;
              run.processes().printer.descriptors.emplace();
              try {
                return RunInProcesses(run.processes()).ok() ? "ended" : "failed";
              } catch (const std::bad_alloc&) {
                return "out of memory";
              }
            }),
            "out of memory");
}

// The printer reads a report and an opinion in turn. Each is larger than a pipe, so a process that
// waits to write one of them would block the other.
TEST(WorkerProcesses, PassLargeReportsAndOpinionsOnInAnyOrder) {
  SKIP_WITHOUT_CONFINEMENT();
  EXPECT_EQ(testing::InChild([]() -> std::string {
              ::alarm(60);
              Trial run(20);
              const auto send_large = [](std::size_t begin, std::size_t end,
                                         const FrameSender& send) {
                const std::string large(300'000, 'x');
                for (std::size_t file = begin; file < end; ++file) {
                  send(FrameKind::kReport, AsBytes(large));
                }
              };
              run.processes().judge = send_large;
              run.processes().witness = send_large;
              run.processes().printer.descriptors.emplace();
              run.processes().print = [](const FrameSource& reports, const FrameSource& opinions) {
                std::size_t bytes = 0;
                for (int i = 0; i < 10; ++i) bytes += opinions()->bytes.size();
                for (int i = 0; i < 20; ++i) bytes += reports()->bytes.size();
                for (int i = 0; i < 10; ++i) bytes += opinions()->bytes.size();
                return bytes == 40 * std::size_t{300'000} && !reports() && !opinions() ? 3 : 4;
              };
              const absl::StatusOr<int> code = RunInProcesses(run.processes());
              return code.ok() ? std::to_string(*code) : std::string(code.status().message());
            }),
            "3");
}

// The worker ends when the printer says that it has all reports. If the printer waited for the
// worker, neither would end.
TEST(WorkerProcesses, ThePrinterNeedNotWaitForTheEndOfAWorker) {
  SKIP_WITHOUT_CONFINEMENT();
  EXPECT_EQ(testing::InChild([]() -> std::string {
              ::alarm(20);
              std::array<int, 2> ends{};
              if (::pipe(ends.data()) != 0) return "no pipe";
              Trial run(1);
              run.processes().worker.descriptors = {ends[0]};
              run.processes().judge = [&](std::size_t, std::size_t, const FrameSender& send) {
                Trial::SendNumber(0, send);
                char byte = 0;
                [[maybe_unused]] const ssize_t got = ::read(ends[0], &byte, 1);
              };
              run.processes().printer.descriptors = {ends[1]};
              run.processes().print = [&](const FrameSource& reports, const FrameSource&) {
                while (reports()) {
                }
                return ::write(ends[1], "x", 1) == 1 ? 3 : 4;
              };
              const absl::StatusOr<int> code = RunInProcesses(run.processes());
              return code.ok() ? std::to_string(*code) : std::string(code.status().message());
            }),
            "3");
}

TEST(WorkerProcesses, PassProgressOn) {
  Trial run(1);
  run.processes().judge = [](std::size_t, std::size_t, const FrameSender& send) {
    send(FrameKind::kProgress, AsBytes("half"));
    Trial::SendNumber(0, send);
  };
  EXPECT_EQ(run.Lines(), std::vector<std::string>({"half", "0"}));
}

}  // namespace
}  // namespace ggufgate
