#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "check/policy.h"

namespace ggufgate {

class WorkSharer;

// JudgeOptions hold the options of a check, including the policy.
struct JudgeOptions {
  Policy policy;
  bool sha256 = false;
  // Maximum number of bytes read from a pipe. They are kept in memory until the verdict.
  std::uint64_t most_spooled = std::uint64_t{16} << 30;
  // The length of the file, in bytes, if a pipe delivers only its beginning. Without it, a pipe
  // delivers the whole file. Missing bytes count as zeros if the verdict does not need them.
  std::optional<std::uint64_t> total_size = {};
  // A descriptor to which the contents of a pipe are written while they are checked. Then one
  // thread does the check.
  std::optional<int> pass_to = {};
  // Threads that share the scan of tensor data. Null: only the calling thread. It must outlive the
  // check.
  WorkSharer* sharer = nullptr;
  // Called with the number of bytes done when tensor data are checked: the data bytes as they are
  // read, and the rest of the file at its end. Any thread may call it.
  std::function<void(std::uint64_t bytes)> on_progress = {};
};

}  // namespace ggufgate
