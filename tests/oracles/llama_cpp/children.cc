#include "tests/oracles/llama_cpp/children.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <typeinfo>

#include "tests/oracles/llama_cpp/deaths.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr int kThrew = 77;                                 // exit code: an exception was not caught
constexpr int kWanted = 78;                                // exit code: for want of memory
constexpr std::size_t kMostWords = std::size_t{64} << 10;  // bytes kept of standard error
constexpr rlim_t kMostWritten = rlim_t{256} << 20;         // bytes that a child may put into a file

Peak* peak = nullptr;  // of the child: one lives at a time

[[noreturn]] void Fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void Say(const std::exception& problem) {
  const char* const mangled = typeid(problem).name();
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::fprintf(stderr, "\nuncaught %s: %s\n", status == 0 ? name.get() : mangled, problem.what());
}

// Words of llama.cpp and of the C++ library for a request that was not met.
bool WantedMemory(std::string_view words) {
  constexpr std::array<std::string_view, 5> kSigns = {
      "std::bad_alloc", "failed to allocate", "unable to allocate", "(attempted to allocate",
      "mem_buffer != NULL"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return words.find(sign) != std::string_view::npos; });
}

// A timer ends the child: limits of the system are whole seconds, and a loop without end is known
// for one much sooner.
void LimitProcessorTime(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

void* SharedMemory(std::size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) Fail("mmap");
  return memory;
}

Children::Children(const Limits& limits) : limits_(limits) {
  if (peak == nullptr) peak = &Shared<Peak>();
  words_ = ::memfd_create("words", MFD_CLOEXEC);
  nothing_ = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (words_ < 0 || nothing_ < 0) Fail("memfd_create");
  ::fcntl(words_, F_SETFL, O_APPEND);
}

Children::~Children() {
  ::close(words_);
  ::close(nothing_);
}

void Children::Confine(std::uint64_t allowance) const {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(nothing_, STDIN_FILENO);
  ::dup2(nothing_, STDOUT_FILENO);
  ::dup2(words_, STDERR_FILENO);
  ::mallopt(M_ARENA_MAX, 1);  // another would take 64 MiB of address space
  const auto limit = [](auto which, rlim_t soft, rlim_t hard) {
    const rlimit both{soft, hard};
    ::setrlimit(which, &both);
  };
  NoteBegin(*peak);
  const rlim_t most = peak->begin + limits_.memory + allowance;
  limit(RLIMIT_AS, most, most);
  LimitProcessorTime(limits_.seconds);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, kMostWritten, kMostWritten);
  ::alarm(4 * static_cast<unsigned>(limits_.seconds) + 10);
  WatchDeaths(*peak);
}

// Where the work throws, a caller of the C API that is written in C would have died of it too.
void Children::Live(const std::function<void()>& work, std::uint64_t allowance) const {
  Confine(allowance);
  int code = 0;
  try {
    work();
  } catch (const std::bad_alloc& problem) {
    Say(problem);
    code = kWanted;
  } catch (const std::exception& problem) {
    Say(problem);
    code = kThrew;
  } catch (...) {
    std::fputs("\nuncaught exception of an unknown type\n", stderr);
    code = kThrew;
  }
  NotePeak(*peak);
  ::_exit(code);
}

std::string Children::Words() const {
  const off_t end = ::lseek(words_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(kMostWords));
  std::string words(static_cast<std::size_t>(end - begin), '\0');
  const ssize_t count = ::pread(words_, words.data(), words.size(), begin);
  words.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return words;
}

Ending Children::Try(const std::function<void()>& work, std::uint64_t allowance) {
  if (::ftruncate(words_, 0) != 0) Fail("ftruncate");
  peak->bytes = 0;
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) Fail("fork");
  if (process == 0) Live(work, allowance);
  int status = 0;
  rusage usage{};
  while (::wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ::kill(-process, SIGKILL);  // what the library itself may have started

  Ending ending{.peak_bytes = peak->bytes, .words = Words()};
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const bool slow =
      ending.signal == SIGPROF || ending.signal == SIGALRM || ending.signal == SIGKILL;
  if (slow) {
    ending.end = End::kHung;
  } else if (code == kWanted || WantedMemory(ending.words)) {
    ending.end = End::kMemory;
  } else if (ending.signal != 0 || code != 0) {
    ending.end = End::kDied;
  }
  return ending;
}

}  // namespace ggufgate::oracles::llama_cpp
