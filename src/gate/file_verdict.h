#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "check/finding.h"
#include "check/policy.h"
#include "check/verdict.h"
#include "gate/identity.h"
#include "gate/summary.h"
#include "remote/remote_facts.h"

namespace ggufgate {

// FileVerdict is the verdict on one file and all that led to it. It owns everything it says, and
// knows the standard library only: the module for JavaScript has it, too.
struct FileVerdict {
  std::string path;  // as given; hostile text, "-" for standard input
  Verdict verdict = Verdict::kUndecided;
  DataScan data = DataScan::kNone;  // how much of the tensor data the verdict covers
  // Bytes that came, where that is not all of the file: the verdict is about these.
  std::optional<std::uint64_t> came;
  // Shards that its model has, where it is one of several and was judged without the others. Who
  // loads the first has them all opened.
  std::uint64_t lone_shard_of = 0;
  Findings findings;
  Summary summary;
  Identity identity;
  std::optional<RemoteFacts> remote;  // of a file on a server
  // Lower-case hexadecimal; there when asked for, or when a suppression of the policy named one.
  std::optional<std::string> sha256;
  std::chrono::nanoseconds elapsed{};
};

}  // namespace ggufgate
