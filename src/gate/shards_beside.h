#pragma once

#include <string>
#include <vector>

#include "gate/find_files.h"

namespace ggufgate {

// FindShardsBeside adds to the files among those found that are named and are the first shard of a
// set the others that lie next to them: a loader that is given the first opens these by name. They
// stand behind it, and count as searched, so that ShardSets judges them together; one that is not
// there is missing from the set. A further shard that is named alone brings none: no loader takes
// it.
//
// What is excluded counts as skipped. A set for which no more names may be looked at than a search
// may (SearchLimits::names, over all sets) is a problem.
void FindShardsBeside(const std::vector<std::string>& excluded, FoundFiles& found);

}  // namespace ggufgate
