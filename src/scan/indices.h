#pragma once

#include <cstdint>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "scan/tally.h"

namespace ggufgate {

// IndexRun is a stretch of a tensor of signed 32-bit numbers, each of which names one of `count`
// things, from 0.
struct IndexRun {
  ByteOrder order = ByteOrder::kLittle;
  std::uint32_t count = 0;  // at most 2^31
  std::uint64_t first = 0;  // element of the tensor, where the bytes begin
};

// ScanIndices judges whole numbers, at the speed of reading them: those that name nothing are
// faults. Only for the place of those that the tally keeps it looks at a part again.
void ScanIndices(IndexRun run, Bytes bytes, DataTally& tally);

}  // namespace ggufgate
