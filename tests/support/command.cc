#include "tests/support/command.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "gate/reading/descriptor.h"

namespace ggufgate::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kCannotRun = 127;

int Opened(int descriptor, const char* what) {
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
  return descriptor;
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& changes) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable != nullptr; ++variable) result.emplace_back(*variable);
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    const std::string name = change.substr(0, equals) + "=";
    std::erase_if(result, [&](const std::string& entry) { return entry.starts_with(name); });
    if (equals != std::string::npos) result.push_back(change);
  }
  return result;
}

std::vector<char*> PointersTo(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string ReadAll(int descriptor) {
  std::string text;
  std::array<char, 65'536> chunk;
  while (true) {
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;  // a terminal returns an error once its other side is closed
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

// Feed writes `text`, up to the point where the program stops reading.
void Feed(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

// Ends holds the descriptors 0, 1 and 2 of the program, and the other ends of them.
struct Ends {
  Descriptor in, out, error;
  Descriptor our_in, our_out;
};

Ends MakeEnds(const CommandOptions& options) {
  Ends ends;
  if (options.input_path) {
    ends.in =
        Descriptor(Opened(::open(options.input_path->c_str(), O_RDONLY | O_CLOEXEC), "input"));
  } else {
    std::array<int, 2> pipe{};
    Opened(::pipe2(pipe.data(), O_CLOEXEC), "pipe");
    ends.in = Descriptor(pipe[0]);
    ends.our_in = Descriptor(pipe[1]);
  }
  if (options.output_path) {
    ends.out =
        Descriptor(Opened(::open(options.output_path->c_str(), O_WRONLY | O_CLOEXEC), "output"));
  } else if (options.terminal) {
    int ours = -1;
    int theirs = -1;
    Opened(::openpty(&ours, &theirs, nullptr, nullptr, nullptr), "pseudo-terminal");
    ends.our_out = Descriptor(ours);
    ends.out = Descriptor(theirs);
    ::fcntl(ours, F_SETFD, FD_CLOEXEC);
    ::fcntl(theirs, F_SETFD, FD_CLOEXEC);
    termios mode = {};
    ::tcgetattr(theirs, &mode);
    ::cfmakeraw(&mode);  // otherwise each \n arrives as \r\n
    ::tcsetattr(theirs, TCSANOW, &mode);
  } else {
    ends.out = Descriptor(Opened(::memfd_create("out", MFD_CLOEXEC), "output"));
  }
  ends.error = Descriptor(Opened(::memfd_create("error", MFD_CLOEXEC), "error output"));
  return ends;
}

// BecomeProgram is the work of the child between fork and exec.
[[noreturn]] void BecomeProgram(char** arguments, char** environment, const Ends& ends,
                                const CommandOptions& options) {
  ::setpgid(0, 0);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(ends.in.get(), STDIN_FILENO);
  ::dup2(ends.out.get(), STDOUT_FILENO);
  ::dup2(options.error_too ? ends.out.get() : ends.error.get(), STDERR_FILENO);
  for (const int descriptor : options.closed) ::close(descriptor);
  if (options.without_privileges) {
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    ::prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE);
    ::prctl(PR_CAPBSET_DROP, CAP_LEASE);
  }
  if (options.most_memory) {
    const rlimit limit{.rlim_cur = *options.most_memory, .rlim_max = *options.most_memory};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(kCannotRun);
  ::execve(arguments[0], arguments, environment);
  ::_exit(kCannotRun);
}

// Await gives the program a minute. After that it kills the program and all its children.
void Await(pid_t child, CommandResult& result) {
  const auto deadline = std::chrono::steady_clock::now() + 1min;
  int status = 0;
  rusage usage = {};
  while (true) {
    const pid_t done = ::wait4(child, &status, result.hung ? 0 : WNOHANG, &usage);
    if (done == child) break;
    if (done < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "wait");
    if (std::chrono::steady_clock::now() > deadline) {
      result.hung = true;
      ::kill(-child, SIGKILL);
    } else {
      std::this_thread::sleep_for(1ms);
    }
  }
  if (WIFEXITED(status) && !result.hung) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  constexpr std::uint64_t kKilobyte = 1024;
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * kKilobyte;
}

}  // namespace

CommandResult RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                         const CommandOptions& options) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = EnvironmentWith(options.environment);
  const std::vector<char*> word_pointers = PointersTo(words);
  const std::vector<char*> environment_pointers = PointersTo(environment);
  Ends ends = MakeEnds(options);
  ::signal(SIGPIPE, SIG_IGN);  // a program need not read all its input

  // Not posix_spawn, because a child that shares this process's memory until exec has at least the
  // same peak.
  const pid_t child = Opened(::fork(), "fork");
  if (child == 0) {
    BecomeProgram(const_cast<char**>(word_pointers.data()),
                  const_cast<char**>(environment_pointers.data()), ends, options);
  }
  ends.in = Descriptor();
  CommandResult result;
  std::jthread feeder, reader;
  if (ends.our_in.valid()) {
    feeder = std::jthread([&] {
      Feed(ends.our_in.get(), options.input);
      ends.our_in = Descriptor();
    });
  }
  if (ends.our_out.valid()) {
    ends.out = Descriptor();
    reader = std::jthread([&] { result.out = ReadAll(ends.our_out.get()); });
  }
  Await(child, result);
  if (reader.joinable()) {
    reader.join();
  } else if (!options.output_path) {
    ::lseek(ends.out.get(), 0, SEEK_SET);
    result.out = ReadAll(ends.out.get());
  }
  ::lseek(ends.error.get(), 0, SEEK_SET);
  result.error = ReadAll(ends.error.get());
  return result;
}

CommandResult RunCommand(const std::vector<std::string>& arguments, const CommandOptions& options) {
  return RunProgram(GGUFGATE_COMMAND, arguments, options);
}

}  // namespace ggufgate::testing
