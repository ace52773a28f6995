#pragma once

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "check/shards/shard_set.h"
#include "gate/file_verdict.h"

namespace ggufgate {

// FileReport is what was judged of a file, and why it could not be.
struct FileReport : FileVerdict {
  absl::Status problem;             // why kUndecided; OK otherwise
  std::optional<ShardFacts> shard;  // what the other shards of its set are held against
};

// Undecided reports a file that was not judged.
inline FileReport Undecided(std::string path, absl::Status problem) {
  FileReport report;
  report.path = std::move(path);
  report.problem = std::move(problem);
  return report;
}

}  // namespace ggufgate
