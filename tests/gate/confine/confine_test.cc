// Tests the actions that a confined child may take, and those that kill it. Built only with
// confinement. golden_test.cc has the lists of its permissions.

#include "gate/confine/confine.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gate/confine/landlock.h"
#include "tests/support/sizes.h"
#include "tests/support/system/failing_calls.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;

constexpr const char* kKnownFile = "/etc/passwd";
constexpr const char* kOtherFile = "/etc/group";

// Outcome returns the exit code of `work`, or the reason why the child was killed.
std::string Outcome(const std::function<int()>& work,
                    const std::vector<std::string>& readable = {}) {
  const absl::StatusOr<int> code = RunConfined({.readable = readable}, work);
  return code.ok() ? std::to_string(*code) : std::string(code.status().message());
}

// Returns 0 if the file can be opened and read, else errno.
int TryToRead(const char* path) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  char byte = 0;
  return ::read(descriptor, &byte, 1) == 1 ? 0 : errno;
}

TEST(Confine, HandsTheExitCodeBack) {
  EXPECT_EQ(Outcome([] { return 0; }), "0");
  EXPECT_EQ(Outcome([] { return 1; }), "1");
}

// The stack frames above belong to the parent: the child would write and remove the parent's files.
TEST(Confine, NoExceptionLeavesTheChild) {
  EXPECT_EQ(Outcome([]() -> int { throw std::bad_alloc(); }), "2");
}

TEST(Confine, NorOneThatMemoryMakesBeforeItIsConfined) {
  const std::string ended = testing::InChild([]() -> std::string {
    Confinement confinement;
    confinement.descriptors = std::vector<int>(std::size_t{16} << 20, STDERR_FILENO);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = {};
    // No room for a copy of it.
    limit.rlim_cur = limit.rlim_max = pages * 4096 + (std::size_t{16} << 20);
    ::setrlimit(RLIMIT_AS, &limit);
    try {
      const absl::StatusOr<int> code = RunConfined(confinement, [] { return 0; });
      return code.ok() ? std::to_string(*code) : "failed";
    } catch (const std::bad_alloc&) {
      return "an exception came out";
    }
  });
  EXPECT_EQ(ended, "2");
}

TEST(Confine, ReadsTheFilesItWasGivenAndNoOther) {
  EXPECT_EQ(Outcome([] { return TryToRead(kKnownFile); }, {kKnownFile}), "0");
  const int refused = LandlockIsAvailable().value() ? EACCES : 0;
  EXPECT_EQ(Outcome([] { return TryToRead(kOtherFile); }, {kKnownFile}), std::to_string(refused));
}

TEST(Confine, AMissingFileIsMissingAndNotAReasonToStop) {
  EXPECT_EQ(Outcome([] { return TryToRead("/no/such/file"); }, {"/no/such/file"}),
            std::to_string(ENOENT));
}

TEST(Confine, StartsThreadsAndUsesMemory) {
  EXPECT_EQ(Outcome([] {
              std::vector<char> block;
              std::thread([&] { block.resize(64 << 20, 'x'); }).join();
              return block.back() == 'x' ? 0 : 1;
            }),
            "0");
}

TEST(Confine, MemoryBeyondTheBoundIsRefused) {
  const Confinement confinement{.readable = {}, .most_memory = std::uint64_t{256} << 20};
  const absl::StatusOr<int> code = RunConfined(confinement, [] {
    return ::mmap(nullptr, std::size_t{1} << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                   MAP_FAILED
               ? errno
               : 0;
  });
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(*code, ENOMEM);
}

TEST(Confine, TooMuchComputingEndsTheChild) {
  const Confinement confinement{.readable = {}, .most_cpu_seconds = 1};
  const absl::StatusOr<int> code = RunConfined(confinement, []() -> int {
    volatile unsigned spin = 0;
    while (true) spin = spin + 1;
  });
  EXPECT_THAT(std::string(code.status().message()),
              HasSubstr("SIGXCPU (it exceeded its processor time)"));
}

TEST(Confine, WhoDoesNotListenIsEndedAllTheSame) {
  if (!testing::kFullLength) GTEST_SKIP() << "it takes six seconds of processor time";
  const Confinement confinement{.readable = {}, .most_cpu_seconds = 1};
  const absl::StatusOr<int> code = RunConfined(confinement, []() -> int {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGXCPU, &ignore, nullptr);
    volatile unsigned spin = 0;
    while (true) spin = spin + 1;
  });
  EXPECT_THAT(std::string(code.status().message()), HasSubstr("SIGKILL"));
}

// The child may not do what signal handlers of the process do.
TEST(Confine, HandlersAreNotInherited) {
  struct sigaction remove = {};
  struct sigaction before = {};
  remove.sa_handler = [](int) { ::unlink("no-such-file"); };
  ASSERT_EQ(::sigaction(SIGTERM, &remove, &before), 0);
  EXPECT_THAT(Outcome([] { return ::raise(SIGTERM); }), HasSubstr("stopped by SIGTERM"));
  ::sigaction(SIGTERM, &before, nullptr);
}

TEST(Confine, ADescriptorThatIsNotNamedIsClosed) {
  const int secret = ::open(kOtherFile, O_RDONLY | O_CLOEXEC);
  const absl::StatusOr<int> code = RunConfined({.descriptors = std::vector<int>{}}, [secret] {
    char byte = 0;
    return ::read(secret, &byte, 1) < 0 ? errno : 0;
  });
  ::close(secret);
  EXPECT_EQ(code.value(), EBADF);
}

// Like an empty root without /dev/null.
TEST(Confine, SaysWhatItLacks) {
  const std::string said = testing::InChild([]() -> std::string {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0 || ::dup2(ends[1], STDERR_FILENO) < 0)
      return "no pipe";
    testing::FailCall({.number = SYS_openat, .error = ENOENT});
    const absl::StatusOr<int> code =
        RunConfined({.descriptors = std::vector<int>{STDERR_FILENO}}, [] { return 0; });
    std::array<char, 256> text{};
    const ssize_t got = ::read(ends[0], text.data(), text.size());
    return code.ok() ? "confined" : std::string(text.data(), static_cast<std::size_t>(got));
  });
  EXPECT_EQ(said, "ggufgate: cannot confine: /dev/null: No such file or directory\n");
}

TEST(Confine, WhatWritesToPipesAloneWritesToNoFile) {
  const int file = ::memfd_create("file", MFD_CLOEXEC);
  const absl::StatusOr<int> code =
      RunConfined({.writes = false}, [file] { return ::write(file, "x", 1) == 1 ? 0 : errno; });
  EXPECT_THAT(std::string(code.status().message()), HasSubstr("SIGXFSZ"));
  ::close(file);
}

// Calls that the gate never needs, but an exploited parser would.
struct Forbidden {
  const char* what;
  int (*work)();
};

class ConfineForbids : public ::testing::TestWithParam<Forbidden> {};

TEST_P(ConfineForbids, AndEndsTheChild) {
  EXPECT_THAT(Outcome(GetParam().work, {kKnownFile}), HasSubstr("SIGSYS"));
}

INSTANTIATE_TEST_SUITE_P(
    Confine, ConfineForbids,
    ::testing::Values(
        Forbidden{"Writing", [] { return ::open(kKnownFile, O_WRONLY) >= 0 ? 1 : 0; }},
        Forbidden{"Creating", [] { return ::open("new", O_RDONLY | O_CREAT, 0600) >= 0 ? 1 : 0; }},
        Forbidden{"NamingFiles", [] { return ::open("/root", O_PATH | O_CLOEXEC) >= 0 ? 1 : 0; }},
        Forbidden{"NamelessFiles",
                  [] { return ::open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0 ? 1 : 0; }},
        Forbidden{"SignalsToTheParent", [] { return ::kill(::getppid(), 0); }},
        Forbidden{"SignalsToAStranger",
                  [] { return static_cast<int>(::syscall(SYS_tgkill, 1, 1, 0)); }},
        Forbidden{"SignalsOfADescriptor", [] { return ::fcntl(0, F_SETOWN, ::getpid()); }},
        Forbidden{"MemoryOfTheSystem", [] { return ::memfd_create("more", MFD_CLOEXEC); }},
        Forbidden{"Tracing", [] { return static_cast<int>(::ptrace(PTRACE_TRACEME, 0, 0, 0)); }},
        Forbidden{"OtherMemory",
                  [] {
                    return static_cast<int>(
                        ::syscall(SYS_process_vm_readv, ::getpid(), nullptr, 0, nullptr, 0, 0));
                  }},
        Forbidden{"Limits",
                  [] {
                    rlimit limit = {};
                    return ::getrlimit(RLIMIT_AS, &limit);
                  }},
        Forbidden{"AsyncRings",
                  [] { return static_cast<int>(::syscall(SYS_io_uring_setup, 1, nullptr)); }},
        Forbidden{"Removing", [] { return ::unlink("no-such-file") == 0 ? 1 : 0; }},
        Forbidden{"Network", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0; }},
        Forbidden{"Processes", [] { return ::fork() >= 0 ? 1 : 0; }},
        Forbidden{"Programs",
                  [] {
                    std::array<char*, 1> none = {nullptr};
                    return ::execve("/bin/true", none.data(), none.data());
                  }},
        Forbidden{"ExecutableMemory",
                  [] {
                    return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                                  -1, 0) != MAP_FAILED
                               ? 1
                               : 0;
                  }}),
    [](const auto& test) { return std::string(test.param.what); });

// Harmless queries of libraries are refused, also about other files.
TEST(Confine, DoesNotTellOfFiles) {
  EXPECT_EQ(Outcome([] {
              struct stat status = {};
              return ::stat(kOtherFile, &status) == 0 ? 0 : errno;
            }),
            std::to_string(EPERM));
}

// CommandsLeft tries a call with each number as argument number 1, the others -1. It returns the
// numbers that do not kill the process.
std::vector<int> CommandsLeft(const Confinement& confinement, int call,
                              const std::vector<int>& numbers) {
  std::vector<int> left;
  for (const int number : numbers) {
    const absl::StatusOr<int> code = RunConfined(confinement, [&] {
      ::syscall(call, -1, number, -1, -1, -1, -1);
      return 0;
    });
    if (code.ok()) left.push_back(number);
  }
  return left;
}

// Of all fcntl commands (locks, leases, owners, signals, flags), only a second number for a file is
// allowed, and seals if standard input is spooled.
TEST(ConfineCalls, CommandsOfFcntl) {
  using ::testing::ElementsAre;
  std::vector<int> commands;
  for (int command = 0; command < 64; ++command) {
    commands.push_back(command);         // of POSIX, and older ones
    commands.push_back(1024 + command);  // of Linux: F_LINUX_SPECIFIC_BASE
  }
  std::ranges::sort(commands);
  constexpr int kDuplicate = 1030;
  constexpr int kAddSeals = 1033;
  Confinement confinement;
  EXPECT_THAT(CommandsLeft(confinement, SYS_fcntl, commands), ElementsAre(kDuplicate));
  confinement.spools = true;
  EXPECT_THAT(CommandsLeft(confinement, SYS_fcntl, commands), ElementsAre(kDuplicate, kAddSeals));
  confinement.spools = false;
  confinement.reads = false;
  EXPECT_THAT(CommandsLeft(confinement, SYS_fcntl, commands), ElementsAre());
}

// Only these two flags of memfd_create together, and only if standard input is spooled.
TEST(ConfineCalls, FlagsOfMemfdCreate) {
  using ::testing::ElementsAre;
  const std::vector<int> flags = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 19};
  Confinement confinement;
  EXPECT_THAT(CommandsLeft(confinement, SYS_memfd_create, flags), ElementsAre());
  confinement.spools = true;
  EXPECT_THAT(CommandsLeft(confinement, SYS_memfd_create, flags),
              ElementsAre(MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

// Without any of the flags that write, create or only name a file.
TEST(ConfineCalls, FlagsOfOpenat) {
  constexpr int kBits = 23;  // up to O_TMPFILE
  for (int bit = 0; bit < kBits; ++bit) {
    const int flag = 1 << bit;
    const absl::StatusOr<int> code = RunConfined({}, [flag] {
      ::syscall(SYS_openat, AT_FDCWD, "/no/such/file", flag, 0);
      return 0;
    });
    const bool harmful = (flag & (O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE)) != 0;
    EXPECT_EQ(code.ok(), !harmful) << flag;
  }
}

// Landlock works without a filter of system calls, too: the child cannot reach other processes by a
// signal or an abstract socket, on kernels that can forbid it.
TEST(Landlock, ForbidsSignalsAndAbstractSockets) {
  constexpr unsigned kVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion) < 6) {
    GTEST_SKIP() << "this kernel cannot (before 6.12)";
  }
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  std::ranges::copy("ggufgate-test-" + std::to_string(::getpid()), &name.sun_path[1]);
  const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* const address = reinterpret_cast<const sockaddr*>(&name);
  ASSERT_EQ(::bind(listening, address, sizeof(name)), 0);
  ASSERT_EQ(::listen(listening, 1), 0);
  const auto reach = [&] {
    const int connecting = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int connected = ::connect(connecting, address, sizeof(name));
    const int error = errno;
    return std::pair(::kill(::getppid(), 0) == 0 ? 0 : errno, connected == 0 ? 0 : error);
  };
  const auto in_child = [&](bool restricted) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      if (restricted && !RestrictFiles({}).ok()) ::_exit(9);
      const auto [by_signal, by_socket] = reach();
      ::_exit((by_signal == EPERM ? 1 : 0) + (by_socket == EPERM ? 2 : 0));
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(in_child(false), 0) << "there is nothing to forbid";
  EXPECT_EQ(in_child(true), 3);
  ::close(listening);
}

TEST(Confine, ACrashIsAnErrorAndNoVerdict) {
  EXPECT_THAT(Outcome([]() -> int { std::abort(); }), HasSubstr("SIGABRT"));
}

}  // namespace
}  // namespace ggufgate
