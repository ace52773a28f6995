#pragma once

// The model that a loader makes of all shards of a set. Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"
#include "check/shards/shard_set.h"
#include "parse/document.h"

namespace ggufgate {

// JoinedFinding is what is wrong with the joined model, at its place in one of the shards.
struct JoinedFinding {
  std::size_t shard = 0;
  Finding finding;
};

// JoinedShards is the hyper-parameters of the first shard and the tensors of all. A file by itself
// shows only a part of that: a loader dies of a matrix in the third shard that the architecture of
// the first has no kernel for.
class JoinedShards {
 public:
  // All shards of a set by their numbers, at least one; they and the policy outlive it.
  JoinedShards(std::span<const ShardFacts* const> shards, const Policy& policy);
  JoinedShards(const JoinedShards&) = delete;  // the document views its own members
  JoinedShards& operator=(const JoinedShards&) = delete;

  // IsWhole is false where the keys of the first shard were too many to be kept, or are not those
  // that its facts tell of: nothing can be said of the model then.
  [[nodiscard]] bool IsWhole() const { return whole_; }

  // Find holds the model against its architecture's contract, as the policy wants it. At most
  // kMostFindings of a rule and severity, and as many that are suppressed: more are neither listed
  // nor counted. Time is n log n in the tensors.
  static constexpr std::size_t kMostFindings = 1000;
  [[nodiscard]] std::vector<JoinedFinding> Find() const;

 private:
  // Where a tensor of the document comes from.
  struct Origin {
    std::size_t shard;
    std::uint64_t index;  // in the directory of the shard
  };

  void TakeTensors(const ShardFacts& facts, std::size_t shard);
  [[nodiscard]] JoinedFinding InItsShard(Finding finding) const;

  std::span<const ShardFacts* const> shards_;
  const Policy& policy_;
  Document document_;            // its tensors are where they are in their files
  std::vector<Origin> origins_;  // by tensor
  bool whole_ = false;
};

}  // namespace ggufgate
