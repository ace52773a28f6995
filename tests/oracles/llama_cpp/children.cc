#include "tests/oracles/llama_cpp/children.h"

#include <cxxabi.h>
#include <malloc.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <typeinfo>

#include "tests/oracles/forked_child.h"
#include "tests/oracles/llama_cpp/deaths.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr int kThrew = 77;                                 // exit code: an uncaught exception
constexpr int kWanted = 78;                                // exit code: out of memory
constexpr std::size_t kMostWords = std::size_t{64} << 10;  // bytes kept of standard error

Peak* peak = nullptr;  // of the child; there is only one at a time

void Say(const std::exception& problem) {
  const char* const mangled = typeid(problem).name();
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::fprintf(stderr, "\nuncaught %s: %s\n", status == 0 ? name.get() : mangled, problem.what());
}

// Messages of llama.cpp and of the C++ library about a failed allocation.
bool WantedMemory(std::string_view words) {
  constexpr std::array<std::string_view, 5> kSigns = {
      "std::bad_alloc", "failed to allocate", "unable to allocate", "(attempted to allocate",
      "mem_buffer != NULL"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return words.find(sign) != std::string_view::npos; });
}

// A timer ends the child, because limits of the system have whole seconds, and an endless loop is
// detected much sooner.
void LimitProcessorTime(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

Children::Children(const Limits& limits) : limits_(limits), words_("words") {
  if (peak == nullptr) peak = &Shared<Peak>();
}

void Children::Confine(std::uint64_t allowance) const {
  ConfineStreams(words_.descriptor());
  ::mallopt(M_ARENA_MAX, 1);  // another arena would take 64 MiB of address space
  NoteBegin(*peak);
  ConfineMemory(peak->begin + limits_.memory + allowance);
  LimitProcessorTime(limits_.seconds);
  ::alarm(4 * static_cast<unsigned>(limits_.seconds) + 10);
  WatchDeaths(*peak);
}

// An exception aborts the child, because it would abort a caller of the C API that is written in C.
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

Ending Children::Try(const std::function<void()>& work, std::uint64_t allowance) {
  Rewrite(words_.descriptor(), {});
  peak->bytes = 0;
  const int status = ForkedChild([&] { Live(work, allowance); }).Wait();

  Ending ending{.peak_bytes = peak->bytes, .words = words_.End(kMostWords)};
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
