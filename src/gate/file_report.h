#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "check/shards/shard_set.h"
#include "gate/file_verdict.h"

namespace ggufgate {

// FileReport holds the verdict on a file, or the reason why there is none.
struct FileReport : FileVerdict {
  absl::Status problem;             // the reason for kUndecided; OK otherwise
  std::optional<ShardFacts> shard;  // compared with the other shards of its set
  // The number of the file in the check. Not set for a model of a store, which may have several
  // files, and whose path in reports is a name.
  std::optional<std::size_t> number;
};

// Undecided returns the report of a file that could not be checked.
inline FileReport Undecided(std::string path, absl::Status problem) {
  FileReport report;
  report.path = std::move(path);
  report.problem = std::move(problem);
  return report;
}

}  // namespace ggufgate
