#include "scan/scan.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ggufgate {
namespace {

// Blocks up to this size are swept whole, field by field pays above.
constexpr std::size_t kSweptBlockBytes = 40;
// Bytes that stay in the first-level cache from the pass to the second look.
constexpr std::size_t kStretchBytes = 16 * 1024;
// Patterns shorter than this would be begun anew too often.
constexpr std::size_t kLeastPattern = 2048;

constexpr ByteOrder kHostOrder = internal::kHostIsLittle ? ByteOrder::kLittle : ByteOrder::kBig;

std::size_t GranuleOf(std::size_t block_bytes) {
  const std::size_t period = std::lcm(block_bytes, kPatternGranule);
  return period * std::max<std::size_t>(1, kLeastPattern / period);
}

// AllBytes is the pattern of a test whether all bytes are 0.
Bytes AllBytes() {
  static constexpr auto kPattern = [] {
    std::array<std::uint8_t, kLeastPattern> pattern{};
    pattern.fill(0xFF);
    return pattern;
  }();
  return kPattern;
}

// AsLoaded is a mask for a field of `width` bytes in the file's order, as the machine loads it.
std::uint64_t AsLoaded(std::uint64_t mask, std::size_t width, ByteOrder order) {
  if (order == kHostOrder) return mask;
  return internal::SwapBytes(mask) >> (64 - 8 * width);
}

}  // namespace

BlockScanner::BlockScanner(const TensorTypeInfo& type, ByteOrder order, Depth depth)
    : type_(&type), order_(order), depth_(depth), granule_(GranuleOf(type.block_bytes)) {
  for (const BlockField& field : FieldsOf(type.type)) PlanField(field);
}

bool BlockScanner::JudgesAnything() const {
  return !byte_pattern_.empty() || !pair_pattern_.empty() || strided_;
}

void BlockScanner::PlanField(const BlockField& field) {
  const bool full = depth_ == Depth::kFull;
  const bool little = order_ == ByteOrder::kLittle;
  switch (field.kind) {
    case FieldKind::kF16:
      if (type_->block_bytes > kSweptBlockBytes) return PlanStrided(field);
      byte_threshold_ = 0x7C;  // the exponent lies in the byte with the sign
      return Mark(byte_pattern_, std::size_t{field.offset} + (little ? 1 : 0), 0x7C);
    case FieldKind::kE8M0:
      byte_threshold_ = full ? 253 : 255;
      return Mark(byte_pattern_, field.offset, 0xFF);
    case FieldKind::kUE4M3:
      byte_threshold_ = 0x7F;
      for (std::size_t i = 0; full && i < field.count; ++i) {
        Mark(byte_pattern_, field.offset + i, 0xFF);
      }
      return;
    case FieldKind::kQ8Code:
      for (std::size_t i = 0; full && i < field.count; ++i) {
        Mark(code_pattern_, field.offset + i, 0xFF);
      }
      return;
    case FieldKind::kTernaryCodes:
      for (std::size_t i = 0; full && i < field.count; ++i) {
        Mark(double_pattern_, field.offset + i, 0x55);
      }
      return;
    case FieldKind::kBF16:
      return PlanTopPair(field.offset, 2, 0x7F80);
    case FieldKind::kF32:
      return PlanTopPair(field.offset, 4, 0x7F80);
    case FieldKind::kF64:
      return PlanTopPair(field.offset, 8, 0x7FF0);
    case FieldKind::kQ8KScale:
    case FieldKind::kIQ1MScale:
      return PlanStrided(field);
  }
}

// Mark sets the mask at `offset` of every block.
void BlockScanner::Mark(std::vector<std::uint8_t>& pattern, std::size_t offset,
                        std::uint8_t mask) const {
  pattern.resize(granule_);
  for (std::size_t at = offset; at < granule_; at += type_->block_bytes) pattern.at(at) = mask;
}

// The exponent of these floats lies in their two upper bytes.
void BlockScanner::PlanTopPair(std::size_t offset, std::size_t size, std::uint16_t mask) {
  const std::size_t at = offset + (order_ == ByteOrder::kLittle ? size - 2 : 0);
  std::array<std::uint8_t, 2> bytes{};
  Store(mask, order_, bytes);
  Mark(pair_pattern_, at, bytes[0]);
  Mark(pair_pattern_, at + 1, bytes[1]);
  pair_threshold_ = Load<std::uint16_t>(bytes, kHostOrder);
}

void BlockScanner::PlanStrided(const BlockField& field) {
  if (strided_) {  // the f16 minimum behind an f16 scale: one load for both
    const std::uint64_t scale = order_ == ByteOrder::kLittle ? 0x7C00 : 0x7C00'0000;
    const std::uint64_t minimum = order_ == ByteOrder::kLittle ? 0x7C00'0000 : 0x7C00;
    strided_->width = 4;
    strided_->mask = AsLoaded(scale, 4, order_);
    strided_->other_mask = AsLoaded(minimum, 4, order_);
    return;
  }
  std::uint64_t mask = 0x7C00;
  // Q8_K: of 2^113 or more; smaller ones do not overflow, whatever the codes.
  if (field.kind == FieldKind::kQ8KScale) {
    mask = depth_ == Depth::kFull ? 0x7800'0000 : 0x7F80'0000;
  }
  // IQ1_M: bits 10 to 14 of the scale stand in the upper bits of the third and fourth word.
  if (field.kind == FieldKind::kIQ1MScale) {
    mask = order_ == ByteOrder::kLittle ? 0x7000'C000'0000'0000 : 0xC000'7000;
  }
  const std::size_t width = FieldBytes(field.kind);
  mask = AsLoaded(mask, width, order_);
  strided_ = StridedTest{.offset = field.offset, .width = width, .mask = mask, .other_mask = mask};
}

bool BlockScanner::VectorsSuspicious(Bytes bytes) const {
  if (!code_pattern_.empty()) {
    if (AnyByteReachesOrCode(bytes, byte_pattern_, byte_threshold_, code_pattern_)) return true;
  } else if (!byte_pattern_.empty() && AnyByteReaches(bytes, byte_pattern_, byte_threshold_)) {
    return true;
  }
  if (!pair_pattern_.empty() && AnyPairReaches(bytes, pair_pattern_, pair_threshold_)) return true;
  return !double_pattern_.empty() && AnyDoubleBit(bytes, double_pattern_);
}

void BlockScanner::ScanStretch(const BlockRun& run, Bytes stretch, DataTally& tally) const {
  const std::size_t block_bytes = type_->block_bytes;
  const std::size_t swept = stretch.size() / kKernelBytes * kKernelBytes;
  const std::size_t whole = swept / block_bytes * block_bytes;  // blocks that vectors reach
  const Bytes vectors = stretch.first(swept);
  if (depth_ == Depth::kFull && !tally.nonzero) {
    tally.nonzero = AnyByteReaches(vectors, AllBytes(), 1);
  }
  const bool suspicious =
      (strided_ && AnyFieldAllOnes(stretch.first(whole), block_bytes, *strided_)) ||
      VectorsSuspicious(vectors);
  if (suspicious) ScanScalar(run, stretch.first(whole), tally);
  if (whole == stretch.size()) return;
  BlockRun rest = run;
  rest.first_block += whole / block_bytes;
  ScanScalar(rest, stretch.subspan(whole), tally);
}

void BlockScanner::Scan(Bytes bytes, std::uint64_t first_block, DataTally& tally) const {
  if (!JudgesAnything()) return;
  BlockRun run{.type = type_, .order = order_, .depth = depth_, .first_block = first_block};
  const std::size_t most = granule_ * std::max<std::size_t>(1, kStretchBytes / granule_);
  while (!bytes.empty()) {
    const Bytes stretch = bytes.first(std::min(bytes.size(), most));
    ScanStretch(run, stretch, tally);
    run.first_block += stretch.size() / type_->block_bytes;
    bytes = bytes.subspan(stretch.size());
  }
}

}  // namespace ggufgate
