#pragma once

#include <array>
#include <atomic>

namespace ggufgate::faults {

// What one process asked the heap for.
struct HeapUse {
  std::array<char, 32> process{};  // by the forks that lead to it, see tracer/fault.h
  std::atomic<unsigned> calls = 0;
};

// HeapPlan lies in memory that all processes share. Allocations number `number` up to
// `number + times`, or for ever after with 0 times, fail in the process of that name; each process
// counts its own.
struct HeapPlan {
  std::array<char, 32> process{};  // "": nowhere
  unsigned number = 0;
  unsigned times = 1;
  std::atomic<unsigned> failed = 0;
  std::atomic<unsigned> used = 0;
  std::array<HeapUse, 64> uses{};
};

// BeginFailing has this process be "0", and its allocations and those of its children be counted.
void BeginFailing(HeapPlan& plan);

}  // namespace ggufgate::faults
