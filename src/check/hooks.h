#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace ggufgate {

// CheckHooks are what a caller lends to a check that reads tensor data. All may be left out.
struct CheckHooks {
  // Calls `work` on as many threads as it likes, at least once, and returns when all calls have. A
  // call returns when no work is left to begin. What `work` throws ends the check.
  std::function<void(const std::function<void()>& work)> run_together = {};
  // Told of bytes of tensor data that were read and judged; called on any of those threads.
  std::function<void(std::uint64_t bytes)> on_read = {};
  // Told how many of each DataFault there are in some tensor data before more are read where the
  // source goes forward only and one thread works; on any of those threads.
  std::function<void(std::span<const std::uint64_t> counts)> on_faults = {};
};

}  // namespace ggufgate
