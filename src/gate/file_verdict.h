#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "check/finding.h"
#include "check/policy.h"
#include "check/verdict.h"
#include "gate/identity.h"
#include "gate/rehearsal_facts.h"
#include "gate/summary.h"
#include "remote/remote_facts.h"

namespace ggufgate {

// FileVerdict holds the verdict on one file and the reasons for it. It owns all its data. It uses
// only the standard library, because the JavaScript module contains it too.
struct FileVerdict {
  std::string path;  // as given; untrusted text, "-" for standard input
  Verdict verdict = Verdict::kUndecided;
  DataScan data = DataScan::kNone;  // how much of the tensor data the verdict covers
  // The number of bytes received, if they are not the whole file, or if nobody knows whether they
  // are. The verdict covers only these bytes.
  std::optional<std::uint64_t> came;
  // For a shard that was checked without the others: the number of shards of its model. Otherwise
  // 0. A loader that loads the first shard opens all of them.
  std::uint64_t lone_shard_of = 0;
  Findings findings;
  Summary summary;
  Identity identity;
  std::optional<RemoteFacts> remote;  // for a file on a server
  std::optional<RehearsalFacts> rehearsal;
  // Lower-case hexadecimal. Set if it was requested, or if a suppression of the policy names a
  // digest.
  std::optional<std::string> sha256;
  std::chrono::nanoseconds elapsed{};
};

}  // namespace ggufgate
