#include "tests/oracles/llama_cpp/deaths.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr std::array kDeaths = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGALRM, SIGSYS};

Peak* watched = nullptr;

// Status returns a line of /proc/self/status in bytes. Signal handlers call it, so it must not
// allocate.
std::uint64_t Status(std::string_view name) {
  std::array<char, 2048> text{};
  const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t length = file < 0 ? 0 : ::read(file, text.data(), text.size());
  if (file >= 0) ::close(file);
  const std::string_view read(text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  const std::size_t at = read.find(name);
  if (at == std::string_view::npos) return 0;
  const std::size_t digits = read.find_first_of("0123456789", at);
  if (digits == std::string_view::npos) return 0;
  std::uint64_t kibibytes = 0;
  std::from_chars(read.data() + digits, read.data() + read.size(), kibibytes);
  return kibibytes << 10;
}

bool SayPlace(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return false;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  std::array<char, 1024> text{};
  const auto offset =
      static_cast<const std::byte*>(address) - static_cast<const std::byte*>(info.dli_fbase);
  const int length = std::snprintf(
      text.data(), text.size(), "\n%.*s%.800s (%.100s+0x%tx)\n", static_cast<int>(kDiedIn.size()),
      kDiedIn.data(), info.dli_sname != nullptr ? info.dli_sname : "a function without a name",
      slash != nullptr ? slash + 1 : info.dli_fname, offset);
  return length <= 0 || ::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(length)) >= 0;
}

// After a call through a null pointer, the caller is on top of the stack.
void SayWhere(const void* context) {
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pointer = [&](int which) {
    return reinterpret_cast<const void* const*>(static_cast<std::uintptr_t>(registers[which]));
  };
  if (!SayPlace(pointer(REG_RIP)) && pointer(REG_RIP) == nullptr) SayPlace(*pointer(REG_RSP));
#else
  static_cast<void>(context);
#endif
}

// The handler is removed when it runs, so the second signal, or a fault in here, kills the process.
// abort() does not tell its caller; the caller has printed that.
void Die(int signal, siginfo_t* /*info*/, void* context) {
  NotePeak(*watched);
  if (signal != SIGABRT) SayWhere(context);
  std::raise(signal);
}

}  // namespace

void NoteBegin(Peak& peak) { peak.begin = Status("VmSize:"); }

void NotePeak(Peak& peak) {
  const std::uint64_t bytes = Status("VmPeak:");
  const std::uint64_t begin = peak.begin;
  peak.bytes = bytes > begin ? bytes - begin : 0;
}

void WatchDeaths(Peak& peak) {
  watched = &peak;
  static std::array<std::byte, std::size_t{64} << 10> room;  // for a process without stack space
  const stack_t stack{.ss_sp = room.data(), .ss_flags = 0, .ss_size = room.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = Die;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
  for (const int signal : kDeaths) ::sigaction(signal, &action, nullptr);
}

std::string Demangled(std::string_view line) {
  const std::size_t begin = line.find(kDiedIn);
  if (begin == std::string_view::npos) return std::string(line);
  const std::string_view rest = line.substr(begin + kDiedIn.size());
  const std::size_t end = rest.find(" (");
  const std::string mangled(rest.substr(0, end));
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  std::string function = status == 0 ? name.get() : mangled;
  if (status == 0 && function.ends_with(")")) function.resize(function.find('('));
  return std::string(kDiedIn) + function +
         std::string(end == std::string_view::npos ? "" : rest.substr(end));
}

}  // namespace ggufgate::oracles::llama_cpp
