#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace ggufgate {

// CheckHooks are callbacks of a caller for checks that read tensor data. All are optional.
struct CheckHooks {
  // Calls `work` on any number of threads, at least once, and returns after all calls have
  // returned. A call of `work` returns when all work is claimed. An exception from `work` stops the
  // check.
  std::function<void(const std::function<void()>& work)> run_together = {};
  // Receives the number of bytes of tensor data that were read and checked; called on any thread.
  std::function<void(std::uint64_t bytes)> on_read = {};
  // Receives the number of each DataFault in some tensor data; called on any thread. With a
  // forward-only source and one thread, the call happens before more data are read.
  std::function<void(std::span<const std::uint64_t> counts)> on_faults = {};
};

}  // namespace ggufgate
