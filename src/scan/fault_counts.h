#pragma once

#include "bytes/bytes.h"
#include "scan/scalar.h"
#include "scan/tally.h"

namespace ggufgate {

// CountFaults counts the faults of each kind that ScanScalar would find, without their positions.
// Its speed does not depend on the number of faults. `bytes` is a multiple of the block size.
[[nodiscard]] FaultCounts CountFaults(const BlockRun& run, Bytes bytes);

}  // namespace ggufgate
