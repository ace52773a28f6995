#pragma once

#include <array>
#include <atomic>

namespace ggufgate::faults {

// The heap use of one process.
struct HeapUse {
  std::array<char, 32> process{};  // the forks that lead to it; see tracer/fault.h
  std::atomic<unsigned> calls = 0;
};

// HeapPlan is in memory that all processes share. Allocations number `number` up to `number +
// times` fail in the process of that name; with 0 times, all from `number` on. Each process counts
// separately.
struct HeapPlan {
  std::array<char, 32> process{};  // "": in no process
  unsigned number = 0;
  unsigned times = 1;
  std::atomic<unsigned> failed = 0;
  std::atomic<unsigned> used = 0;
  std::array<HeapUse, 64> uses{};
};

// BeginFailing makes this process "0", and counts its allocations and those of its children.
void BeginFailing(HeapPlan& plan);

}  // namespace ggufgate::faults
