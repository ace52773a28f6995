#pragma once

// Work done in forked children that may die of it, each within its own bounds of memory and time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/oracles/forked_child.h"

namespace ggufgate::oracles::llama_cpp {

struct Limits {
  std::uint64_t memory = std::uint64_t{1}
                         << 30;  // bytes of address space above what a child begins with
  double seconds = 5;            // of processor time; four times that and ten by the clock
};

enum class End : std::uint8_t {
  kDone,    // the work was done
  kDied,    // of a signal, an exception that nobody caught, or by ending the process
  kHung,    // it took too long
  kMemory,  // it wanted more memory than it may have, whatever came of that
};

struct Ending {
  End end = End::kDone;
  int signal = 0;                // that it died of; 0: none
  std::uint64_t peak_bytes = 0;  // of address space, above what the child began with
  std::string words = {};        // the end of what it wrote to standard error: hostile text
};

class Children {
 public:
  explicit Children(const Limits& limits);
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Try does the work in a child and waits for it. The child may have `allowance` bytes on top of
  // the limit. What the work is to tell, it writes to memory that is shared (Shared) or to a
  // descriptor.
  [[nodiscard]] Ending Try(const std::function<void()>& work, std::uint64_t allowance = 0);

 private:
  [[noreturn]] void Live(const std::function<void()>& work, std::uint64_t allowance) const;
  void Confine(std::uint64_t allowance) const;

  Limits limits_;
  MemoryFile words_;  // standard error of the children
};

// Shared makes an object that parent and children see alike, for the whole program.
template <typename Type>
[[nodiscard]] Type& Shared() {
  return *new (SharedMemory(sizeof(Type))) Type{};
}

}  // namespace ggufgate::oracles::llama_cpp
