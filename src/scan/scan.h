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

// BlockScanner judges the data of tensors of one type, at the speed of reading them: a pass without
// branches asks whether anything is wrong in a stretch, and only where it says so (or cannot tell)
// faults are counted. The scalar scan looks again only for the place of those that the tally keeps.
// What it finds is what ScanScalar finds.
//
// It holds a few KiB of tables; to make one costs about a microsecond. Scan may be called from
// several threads at once.
class BlockScanner {
 public:
  BlockScanner(const TensorTypeInfo& type, ByteOrder order, Depth depth);

  // JudgesAnything is false when no bytes could make a finding: of integers, and of types whose
  // scales are always finite in Depth::kScales.
  [[nodiscard]] bool JudgesAnything() const;

  // granule is a whole number of blocks, in bytes. Scans are fastest when they are cut there.
  [[nodiscard]] std::size_t granule() const {
    return swept_ ? kPatternRepeats * pattern_bytes_ : pattern_bytes_;
  }

  // Scan judges whole blocks, of which the first is number `first_block` of its tensor. `bytes` is
  // a multiple of the block's size.
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
  bool swept_;  // all bytes are looked at, not one field of each block
  std::size_t pattern_bytes_;

  // The passes that the type wants; patterns have pattern_bytes_ or none.
  AlignedBytes byte_pattern_;
  std::uint8_t byte_threshold_ = 0;
  AlignedBytes code_pattern_;
  AlignedBytes pair_pattern_;
  std::uint16_t pair_threshold_ = 0;
  AlignedBytes double_pattern_;
  std::optional<StridedTest> strided_;
};

}  // namespace ggufgate
