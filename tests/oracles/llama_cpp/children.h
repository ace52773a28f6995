#pragma once

// Work in forked children that may crash. Each has separate limits of memory and time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/oracles/forked_child.h"

namespace ggufgate::oracles::llama_cpp {

struct Limits {
  std::uint64_t memory = std::uint64_t{1}
                         << 30;  // bytes of address space in addition to those at the child's start
  // Of processor time; the limit of elapsed time is four times that plus ten.
  double seconds = 5;
};

enum class End : std::uint8_t {
  kDone,    // the work was done
  kDied,    // by a signal, an uncaught exception, or an exit
  kHung,    // it took too long
  kMemory,  // it wanted more memory than allowed, with any result
};

struct Ending {
  End end = End::kDone;
  int signal = 0;                // that killed it; 0: none
  std::uint64_t peak_bytes = 0;  // of address space, above that at the child's start
  // The last part of its standard error: untrusted text.
  std::string words = {};
};

class Children {
 public:
  explicit Children(const Limits& limits);
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Try runs the work in a child and waits for it. The child may use `allowance` bytes above the
  // limit. The work writes its results to shared memory (Shared) or to a descriptor.
  [[nodiscard]] Ending Try(const std::function<void()>& work, std::uint64_t allowance = 0);

 private:
  [[noreturn]] void Live(const std::function<void()>& work, std::uint64_t allowance) const;
  void Confine(std::uint64_t allowance) const;

  Limits limits_;
  MemoryFile words_;  // standard error of the children
};

// Shared makes an object that parent and children share, for the whole program.
template <typename Type>
[[nodiscard]] Type& Shared() {
  return *new (SharedMemory(sizeof(Type))) Type{};
}

}  // namespace ggufgate::oracles::llama_cpp
