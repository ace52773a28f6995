#pragma once

// The model that a loader builds from all shards of a set. Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"
#include "check/shards/shard_set.h"
#include "parse/document.h"

namespace ggufgate {

// JoinedFinding is a finding about the joined model, with its place in one of the shards.
struct JoinedFinding {
  std::size_t shard = 0;
  Finding finding;
};

// JoinedShards combines the hyper-parameters of the first shard and the tensors of all shards. A
// single file shows only a part. For example, a loader crashes on a matrix in the third shard if
// the architecture in the first shard has no kernel for it.
class JoinedShards {
 public:
  // `shards` has all shards of a set by number, at least one. They and the policy must outlive
  // this.
  JoinedShards(std::span<const ShardFacts* const> shards, const Policy& policy);
  JoinedShards(const JoinedShards&) = delete;  // the document views its own members
  JoinedShards& operator=(const JoinedShards&) = delete;

  // IsWhole is false if the first shard has too many keys to keep, or keys that contradict its
  // facts. Then the model cannot be checked.
  [[nodiscard]] bool IsWhole() const { return whole_; }

  // Find checks the model against the contract of its architecture, with the policy's severities.
  // It lists at most kMostFindings per rule and severity, and as many suppressed ones. Further ones
  // are not counted. Time is n log n in the tensors.
  static constexpr std::size_t kMostFindings = 1000;
  [[nodiscard]] std::vector<JoinedFinding> Find() const;

 private:
  // Origin is the place of a tensor of the document in its shard.
  struct Origin {
    std::size_t shard;
    std::uint64_t index;  // in the directory of the shard
  };

  void TakeTensors(const ShardFacts& facts, std::size_t shard);
  [[nodiscard]] JoinedFinding InItsShard(Finding finding) const;

  std::span<const ShardFacts* const> shards_;
  const Policy& policy_;
  Document document_;            // its tensors have the offsets of their files
  std::vector<Origin> origins_;  // by tensor
  bool whole_ = false;
};

}  // namespace ggufgate
