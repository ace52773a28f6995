#pragma once

#include <cstdint>
#include <optional>

#include "bytes/aligned_bytes.h"
#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "scan/kernels.h"
#include "scan/scalar.h"
#include "scan/tally.h"

namespace ggufgate {

// BlockScanner checks the data of tensors of one type at the speed of reading. A pass without
// branches detects whether a stretch has a fault. Only if it does, or cannot tell, are the faults
// counted. The scalar scan runs only for the positions of the faults that the tally keeps. The
// result is the same as that of ScanScalar.
//
// It has a few KiB of tables; constructing it takes about a microsecond. Several threads may call
// Scan at once.
class BlockScanner {
 public:
  BlockScanner(const TensorTypeInfo& type, ByteOrder order, Depth depth);

  // JudgesAnything returns false if no bytes can be a fault: for integers, and in Depth::kScales
  // for types whose scales are always finite.
  [[nodiscard]] bool JudgesAnything() const;

  // granule returns a number of bytes that is a multiple of the block size. Scans are fastest if
  // the data are split at multiples of it.
  [[nodiscard]] std::size_t granule() const {
    return swept_ ? kPatternRepeats * pattern_bytes_ : pattern_bytes_;
  }

  // Scan checks whole blocks. The first one is number `first_block` of its tensor. `bytes` is a
  // multiple of the block size.
  void Scan(Bytes bytes, std::uint64_t first_block, DataTally& tally) const;

 private:
  void PlanField(const BlockField& field);
  void Mark(AlignedBytes& pattern, std::size_t offset, std::uint8_t mask) const;
  void PlanTopPair(std::size_t offset, std::size_t size, std::uint16_t mask);
  void PlanStrided(const BlockField& field);
  void PlanStridedTop(const BlockField& field, std::uint8_t mask);
  void ScanStretch(const BlockRun& run, Bytes stretch, DataTally& tally) const;
  void LookCloser(BlockRun run, Bytes bytes, DataTally& tally) const;
  [[nodiscard]] bool VectorsSuspicious(Bytes bytes) const;

  const TensorTypeInfo* type_;
  ByteOrder order_;
  Depth depth_;
  bool swept_;  // all bytes are checked, not only one field of each block
  std::size_t pattern_bytes_;

  // The passes for the type. Each pattern has pattern_bytes_ bytes or is empty.
  AlignedBytes byte_pattern_;
  std::uint8_t byte_threshold_ = 0;
  AlignedBytes code_pattern_;
  AlignedBytes pair_pattern_;
  std::uint16_t pair_threshold_ = 0;
  AlignedBytes double_pattern_;
  std::optional<StridedTest> strided_;
};

}  // namespace ggufgate
