#pragma once

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "scan/tally.h"

namespace ggufgate {

// Depth is how much of the data is judged.
enum class Depth : std::uint8_t {
  kScales,  // scales and minimums of quantised blocks, values of other types: finite or not
  kFull,    // besides: reserved encodings, codes, and whether all bytes are 0
};

// BlockRun is what a scan needs to know of the bytes it is given.
struct BlockRun {
  const TensorTypeInfo* type = nullptr;
  ByteOrder order = ByteOrder::kLittle;  // of fields of more than a byte, as the file's numbers are
  Depth depth = Depth::kFull;
  std::uint64_t first_block = 0;  // of the tensor, where the bytes begin
};

// ScanScalar judges whole blocks, field by field: the definition of what a fault is, and what the
// fast way falls back on where something is wrong. `bytes` is a multiple of the block's size.
//
// Source: the decoders of ggml d99724f2, and the OCP microscaling specification 1.0 for E8M0 and
// E4M3. Unlike ggml_validate_row_data it takes an F64 above the range of a float for the finite
// number it is.
void ScanScalar(const BlockRun& run, Bytes bytes, DataTally& tally);

}  // namespace ggufgate
