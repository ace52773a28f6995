#pragma once

#include "bytes/bytes.h"
#include "scan/scalar.h"
#include "scan/tally.h"

namespace ggufgate {

// CountFaults says how many faults of each kind ScanScalar would find, not where they are; at a
// pace that does not depend on how many there are. `bytes` is a multiple of the block's size.
[[nodiscard]] FaultCounts CountFaults(const BlockRun& run, Bytes bytes);

}  // namespace ggufgate
