#pragma once

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "scan/tally.h"

namespace ggufgate {

// Depth tells how much of the data is checked.
enum class Depth : std::uint8_t {
  // Whether scales and minimums of quantised blocks, and values of other types, are finite.
  kScales,
  // Also reserved encodings, codes, and whether all bytes are 0.
  kFull,
};

// BlockRun describes the bytes of a scan.
struct BlockRun {
  const TensorTypeInfo* type = nullptr;
  ByteOrder order = ByteOrder::kLittle;  // of multi-byte fields, as of the file's numbers
  Depth depth = Depth::kFull;
  std::uint64_t first_block = 0;  // index in the tensor of the first block
};

// ScanScalar checks whole blocks, field by field. It defines the faults, and the fast scan uses it
// where it detects one. `bytes` is a multiple of the block size.
//
// Source: the decoders of ggml d99724f2, and the OCP microscaling specification 1.0 for E8M0 and
// E4M3. Unlike ggml_validate_row_data, it accepts an F64 above the range of a float as a finite
// number.
void ScanScalar(const BlockRun& run, Bytes bytes, DataTally& tally);

}  // namespace ggufgate
