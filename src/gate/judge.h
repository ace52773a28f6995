#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "bytes/byte_source.h"
#include "check/policy.h"
#include "check/shards/shard_set.h"
#include "gate/file_verdict.h"
#include "gate/reading/input.h"

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

// FileReport is what was judged of a file, and why it could not be.
struct FileReport : FileVerdict {
  absl::Status problem;             // why kUndecided; OK otherwise
  std::optional<ShardFacts> shard;  // what the other shards of its set are held against
};

// JudgePath judges a regular file, or standard input when `path` is "-".
[[nodiscard]] FileReport JudgePath(const std::string& path, const JudgeOptions& options);

// JudgeBlob looks at a regular file of which no rule speaks: its size, and its SHA-256 where it is
// asked for. Whatever it holds is accepted.
[[nodiscard]] FileReport JudgeBlob(const std::string& path, const JudgeOptions& options);

// JudgeDescriptor judges what an open descriptor gives: a regular file that nobody has read a part
// of, or what a pipe delivers. It stays open.
[[nodiscard]] FileReport JudgeDescriptor(int descriptor, const std::string& path,
                                         const JudgeOptions& options);

// JudgeInput judges a file that is open already; `path` is what the report calls it.
[[nodiscard]] FileReport JudgeInput(const Input& input, const std::string& path,
                                    const JudgeOptions& options);

// JudgeSource judges any source of bytes; there is no identity to pin then.
[[nodiscard]] FileReport JudgeSource(const ByteSource& source, const std::string& path,
                                     const JudgeOptions& options);

}  // namespace ggufgate
