#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "check/policy.h"

namespace ggufgate {

class WorkSharer;

// JudgeOptions are what the caller wants besides the policy.
struct JudgeOptions {
  Policy policy;
  bool sha256 = false;
  // Most bytes taken from a pipe; they are kept in memory until the verdict.
  std::uint64_t most_spooled = std::uint64_t{16} << 30;
  // How long the file is that a pipe delivers the first bytes of; unless it is said, a pipe
  // delivers all of it. What has not come is taken for zeros where the verdict does not need it.
  std::optional<std::uint64_t> total_size = {};
  // Where what comes through a pipe is written as it is judged: a descriptor. One thread judges.
  std::optional<int> pass_to = {};
  // Threads that share the scan of tensor data; none: the caller's alone. Outlives the judging.
  WorkSharer* sharer = nullptr;
  // Told of bytes done, when tensor data are judged: those read of the data, and at the end of a
  // file all its others. Called on any thread.
  std::function<void(std::uint64_t bytes)> on_progress = {};
};

}  // namespace ggufgate
