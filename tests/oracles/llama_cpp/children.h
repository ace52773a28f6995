#pragma once

// Runs work in forked children that may crash, each with limits on memory and time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/oracles/forked_child.h"

namespace ggufgate::oracles::llama_cpp {

struct Limits {
  std::uint64_t memory = std::uint64_t{1}
                         << 30;  // bytes of address space beyond the child's initial ones
  double seconds = 5;            // of processor time; four times that plus ten in real time
};

enum class End : std::uint8_t {
  kDone,    // the work was done
  kDied,    // by a signal, an uncaught exception, or an early exit
  kHung,    // it took too long
  kMemory,  // it needed more memory than its limit, with any consequence
};

struct Ending {
  End end = End::kDone;
  int signal = 0;                // that killed it; 0: none
  std::uint64_t peak_bytes = 0;  // of address space, beyond the child's initial bytes
  std::string words = {};        // the end of its standard error: hostile text
};

class Children {
 public:
  explicit Children(const Limits& limits);
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Try runs the work in a child and waits for it. The child may use `allowance` bytes in addition
  // to the limit. The work returns results through shared memory (Shared) or a descriptor.
  [[nodiscard]] Ending Try(const std::function<void()>& work, std::uint64_t allowance = 0);

 private:
  [[noreturn]] void Live(const std::function<void()>& work, std::uint64_t allowance) const;
  void Confine(std::uint64_t allowance) const;

  Limits limits_;
  MemoryFile words_;  // standard error of the children
};

// Shared creates an object that parent and children share until the program ends.
template <typename Type>
[[nodiscard]] Type& Shared() {
  return *new (SharedMemory(sizeof(Type))) Type{};
}

}  // namespace ggufgate::oracles::llama_cpp
