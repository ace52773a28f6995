#pragma once

#include <string>
#include <vector>

#include "gate/find_files.h"

namespace ggufgate {

// FindShardsBeside looks for the other shards in the folder of each first shard that was named: a
// loader of the first opens them by name. It inserts them after the first and marks all as
// searched, so that ShardSets judges them together and reports the missing ones. A further shard
// that is named alone adds none: no loader takes it.
//
// Excluded shards count as skipped. All sets together may ask for SearchLimits::names names; a set
// above that is a problem.
void FindShardsBeside(const std::vector<std::string>& excluded, FoundFiles& found);

}  // namespace ggufgate
