#pragma once

#include <cstdint>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "scan/tally.h"

namespace ggufgate {

// IndexRun is a part of a tensor of signed 32-bit numbers. Each is an index of one of `count`
// items, from 0.
struct IndexRun {
  ByteOrder order = ByteOrder::kLittle;
  std::uint32_t count = 0;  // at most 2^31
  std::uint64_t first = 0;  // index in the tensor of the first element
};

// ScanIndices checks indices at the speed of reading. Indices out of range are faults. It reads a
// part again only to find the positions of the faults that the tally keeps.
void ScanIndices(IndexRun run, Bytes bytes, DataTally& tally);

}  // namespace ggufgate
