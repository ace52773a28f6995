#include "scan/scan.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "scan/fault_counts.h"

namespace ggufgate {
namespace {

// Blocks up to this size are checked completely; for larger ones, separate fields are faster.
constexpr std::size_t kSweptBlockBytes = 40;
// A size that stays in the first-level cache from the pass to the second reading.
constexpr std::size_t kStretchBytes = 16 * 1024;
// Bytes that are checked field by field to find the position of one fault.
constexpr std::size_t kPartBytes = 1024;
// Shorter patterns would restart too often.
constexpr std::size_t kLeastPattern = 1024;

constexpr ByteOrder kHostOrder = internal::kHostIsLittle ? ByteOrder::kLittle : ByteOrder::kBig;

// IsSwept tells whether all bytes of a type are checked: its blocks are small, or their codes
// matter.
bool IsSwept(const TensorTypeInfo& type, Depth depth) {
  const auto has_codes = [](const BlockField& field) {
    return field.kind == FieldKind::kTernaryCodes;
  };
  return type.block_bytes <= kSweptBlockBytes ||
         (depth == Depth::kFull && std::ranges::any_of(FieldsOf(type.type), has_codes));
}

// PatternBytesOf returns a multiple of the block size and of the widest vector.
std::size_t PatternBytesOf(const TensorTypeInfo& type) {
  const std::size_t period = std::lcm(std::size_t{type.block_bytes}, kKernelBytes);
  return period * std::max<std::size_t>(1, kLeastPattern / period);
}

// AllBytes returns the pattern of a test whether all bytes are 0.
Bytes AllBytes() {
  static constexpr auto kPattern = [] {
    std::array<std::uint8_t, kLeastPattern> pattern{};
    pattern.fill(0xFF);
    return pattern;
  }();
  return kPattern;
}

}  // namespace

BlockScanner::BlockScanner(const TensorTypeInfo& type, ByteOrder order, Depth depth)
    : type_(&type),
      order_(order),
      depth_(depth),
      swept_(IsSwept(type, depth)),
      pattern_bytes_(PatternBytesOf(type)) {
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
      if (!swept_) return PlanStrided(field);
      byte_threshold_ = 0x7C;  // the exponent is in the byte with the sign
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
void BlockScanner::Mark(AlignedBytes& pattern, std::size_t offset, std::uint8_t mask) const {
  if (pattern.empty()) pattern = AlignedBytes(pattern_bytes_);
  const MutableBytes bytes = pattern.bytes();
  for (std::size_t at = offset; at < pattern_bytes_; at += type_->block_bytes) bytes[at] = mask;
}

// The exponent of these floats is in their two upper bytes.
void BlockScanner::PlanTopPair(std::size_t offset, std::size_t size, std::uint16_t mask) {
  const std::size_t at = offset + (order_ == ByteOrder::kLittle ? size - 2 : 0);
  std::array<std::uint8_t, 2> bytes{};
  Store(mask, order_, bytes);
  Mark(pair_pattern_, at, bytes[0]);
  Mark(pair_pattern_, at + 1, bytes[1]);
  pair_threshold_ = Load<std::uint16_t>(bytes, kHostOrder);
}

void BlockScanner::PlanStrided(const BlockField& field) {
  switch (field.kind) {
    case FieldKind::kQ8KScale:
      // From 2^113 or 2^127 on. Below, nothing overflows and all values are finite.
      return PlanStridedTop(field, depth_ == Depth::kFull ? 0x78 : 0x7F);
    case FieldKind::kIQ1MScale: {
      // Bits 10 to 14 of the scale are in the upper bits of the third and fourth word.
      constexpr std::array<std::uint16_t, 4> kWords = {0, 0, 0xC000, 0x7000};
      std::array<std::uint8_t, 8> bytes{};
      for (std::size_t i = 0; i < kWords.size(); ++i) {
        Store(kWords.at(i), order_, MutableBytes(bytes).subspan(2 * i));
      }
      strided_ = StridedTest{.offset = field.offset,
                             .width = bytes.size(),
                             .mask = Load<std::uint64_t>(bytes, kHostOrder)};
      return;
    }
    default:
      break;
  }
  if (!strided_) return PlanStridedTop(field, 0x7C);
  // The f16 minimum directly follows the f16 scale: one load for both.
  const bool little = order_ == ByteOrder::kLittle;
  const auto both = [little](std::uint8_t top) {
    const std::uint8_t low = little ? 0 : top;
    const std::uint8_t high = little ? top : 0;
    return Load<std::uint32_t>(std::array{low, high, low, high}, kHostOrder);
  };
  strided_ = StridedTest{
      .offset = field.offset - std::size_t{2}, .width = 4, .mask = both(0x7C), .carry = both(0x04)};
}

// Checks the byte with the upper bits of the exponent, which must be adjacent bits below the sign.
void BlockScanner::PlanStridedTop(const BlockField& field, std::uint8_t mask) {
  const std::size_t last = order_ == ByteOrder::kLittle ? FieldBytes(field.kind) - 1U : 0U;
  strided_ = StridedTest{
      .offset = field.offset + last, .width = 1, .mask = mask, .carry = std::uint64_t{0x80} - mask};
}

bool BlockScanner::VectorsSuspicious(Bytes bytes) const {
  const Bytes pattern = byte_pattern_.bytes();
  if (!code_pattern_.empty()) {
    return AnyByteReachesOrCode(bytes, pattern, byte_threshold_, code_pattern_.bytes());
  }
  if (!double_pattern_.empty()) {
    return AnyDoubleBitOrByte(bytes, double_pattern_.bytes(), pattern, byte_threshold_);
  }
  if (!pair_pattern_.empty()) {
    return AnyPairReaches(bytes, pair_pattern_.bytes(), pair_threshold_);
  }
  return !pattern.empty() && AnyByteReaches(bytes, pattern, byte_threshold_);
}

// LookCloser finds the faults. Faults above the number that the tally keeps are only counted, part
// by part. So a fault in each part costs no more time than one in each block.
void BlockScanner::LookCloser(BlockRun run, Bytes bytes, DataTally& tally) const {
  if (tally.Add(CountFaults(run, bytes))) return;
  const std::size_t most = std::max<std::size_t>(1, kPartBytes / type_->block_bytes);
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), most * type_->block_bytes));
    if (!tally.Add(CountFaults(run, part))) ScanScalar(run, part, tally);
    run.first_block += part.size() / type_->block_bytes;
    bytes = bytes.subspan(part.size());
  }
}

void BlockScanner::ScanStretch(const BlockRun& run, Bytes stretch, DataTally& tally) const {
  const std::size_t block_bytes = type_->block_bytes;
  const std::size_t swept = stretch.size() / kKernelBytes * kKernelBytes;
  const std::size_t whole = swept / block_bytes * block_bytes;  // blocks that the vectors cover
  const Bytes vectors = stretch.first(swept);
  if (depth_ == Depth::kFull && !tally.nonzero) {
    tally.nonzero = AnyByteReaches(vectors, AllBytes(), 1);
  }
  const bool suspicious =
      (strided_ && AnyFieldAllOnes(stretch.first(whole), block_bytes, *strided_)) ||
      VectorsSuspicious(vectors);
  if (suspicious) LookCloser(run, stretch.first(whole), tally);
  if (whole == stretch.size()) return;
  BlockRun rest = run;
  rest.first_block += whole / block_bytes;
  ScanScalar(rest, stretch.subspan(whole), tally);
}

void BlockScanner::Scan(Bytes bytes, std::uint64_t first_block, DataTally& tally) const {
  if (!JudgesAnything()) return;
  BlockRun run{.type = type_, .order = order_, .depth = depth_, .first_block = first_block};
  const std::size_t most = granule() * std::max<std::size_t>(1, kStretchBytes / granule());
  while (!bytes.empty()) {
    const Bytes stretch = bytes.first(std::min(bytes.size(), most));
    ScanStretch(run, stretch, tally);
    run.first_block += stretch.size() / type_->block_bytes;
    bytes = bytes.subspan(stretch.size());
  }
}

}  // namespace ggufgate
