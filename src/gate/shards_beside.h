#pragma once

#include <string>
#include <vector>

#include "gate/find_files.h"

namespace ggufgate {

// FindShardsBeside looks for the other shards of each named first shard, in its folder, because a
// loader of the first shard opens them by name. It inserts them after the first shard and marks all
// as searched. So ShardSets checks them together and reports missing ones. A later shard that is
// named alone adds none, because no loader accepts it.
//
// Excluded shards count as skipped. All sets together may contain SearchLimits::names names; a set
// above that limit is a problem.
void FindShardsBeside(const std::vector<std::string>& excluded, FoundFiles& found);

}  // namespace ggufgate
