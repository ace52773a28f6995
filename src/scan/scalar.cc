#include "scan/scalar.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace ggufgate {
namespace {

using Kind = FieldKind;

// The exponent bits of a float: all set means NaN or infinite.
constexpr std::uint64_t ExponentOf(Kind kind) {
  switch (kind) {
    case Kind::kF64:
      return 0x7FF0'0000'0000'0000;
    case Kind::kF32:
    case Kind::kQ8KScale:
      return 0x7F80'0000;
    case Kind::kBF16:
      return 0x7F80;
    default:
      return 0x7C00;
  }
}

// RawOf reads the bits of one field.
std::uint64_t RawOf(Kind kind, Bytes bytes, ByteOrder order) {
  switch (kind) {
    case Kind::kF64:
      return Load<std::uint64_t>(bytes, order);
    case Kind::kF32:
    case Kind::kQ8KScale:
      return Load<std::uint32_t>(bytes, order);
    case Kind::kF16:
    case Kind::kBF16:
      return Load<std::uint16_t>(bytes, order);
    case Kind::kIQ1MScale: {
      std::uint64_t raw = 0;
      for (unsigned word = 0; word < 4; ++word) {
        const auto bits = Load<std::uint16_t>(bytes.subspan(std::size_t{2} * word), order);
        raw |= std::uint64_t{bits} >> 12 << (4 * word);
      }
      return raw;
    }
    default:
      return bytes.front();
  }
}

// BlockScan checks one block.
class BlockScan {
 public:
  BlockScan(const BlockRun& run, Bytes block, std::uint64_t index, DataTally& tally)
      : run_(run), block_(block), index_(index), tally_(tally) {}

  // Judge checks field number `i` of the fields that `field` describes.
  void Judge(const BlockField& field, std::size_t i) const {
    const std::size_t at = field.offset + i * FieldBytes(field.kind);
    const std::uint64_t raw = RawOf(field.kind, block_.subspan(at), run_.order);
    switch (field.kind) {
      case Kind::kE8M0:
        return JudgeE8M0(at, raw);
      case Kind::kUE4M3:
        return JudgeUE4M3(at, raw, i);
      case Kind::kQ8Code:
        if (Full() && raw == 0x80) Note(DataFault::kSignedMinimum, field.kind, at, raw, i);
        return;
      case Kind::kTernaryCodes:
        return JudgeTernary(at, raw);
      default:
        return JudgeFloat(field, at, raw);
    }
  }

 private:
  [[nodiscard]] bool Full() const { return run_.depth == Depth::kFull; }

  void Note(DataFault fault, Kind kind, std::size_t at, std::uint64_t raw,
            std::uint64_t element) const {
    tally_.Note({.fault = fault,
                 .kind = kind,
                 .size = FieldBytes(kind),
                 .element = index_ * run_.type->block_elements + element,
                 .block = index_,
                 .at = index_ * run_.type->block_bytes + at,
                 .raw = raw});
  }

  void JudgeFloat(const BlockField& field, std::size_t at, std::uint64_t raw) const {
    const std::uint64_t exponent = ExponentOf(field.kind);
    if ((raw & exponent) == exponent) {
      const DataFault fault = field.role == FieldRole::kMinimum ? DataFault::kMinimumNotFinite
                              : field.role == FieldRole::kScale ? DataFault::kScaleNotFinite
                                                                : DataFault::kValueNotFinite;
      Note(fault, field.kind, at, raw, 0);
    } else if (field.kind == Kind::kQ8KScale && Full()) {
      const auto element = OverflowOfQ8K(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
      if (element) Note(DataFault::kScaleOverflows, field.kind, at, raw, *element);
    }
  }

  // OverflowOfQ8K returns the index of the first element whose product rounds to infinity. This is
  // exact: 24 bits times 8.
  [[nodiscard]] std::optional<std::uint64_t> OverflowOfQ8K(float scale) const {
    constexpr double kRoundsToInfinity = 0x1.ffffffp127;
    const Bytes codes = block_.subspan(4, run_.type->block_elements);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto code = static_cast<std::int8_t>(codes[i]);
      const double product = static_cast<double>(scale) * static_cast<double>(code);
      if (std::fabs(product) >= kRoundsToInfinity) return i;
    }
    return std::nullopt;
  }

  // The codes of MXFP4 decode to 0, 1, 2, 3, 4, 6, 8, 12 times 2^(e-128), bit 3 being the sign.
  void JudgeE8M0(std::size_t at, std::uint64_t raw) const {
    constexpr std::uint64_t kNan = 255;
    if (raw == kNan) return Note(DataFault::kScaleNotFinite, Kind::kE8M0, at, raw, 0);
    if (raw < kNan - 2 || !Full()) return;
    const unsigned least = raw == kNan - 1 ? 4 : 6;  // smallest magnitude that is too large
    const Bytes codes = block_.subspan(1);
    for (std::size_t i = 0; i < 2 * codes.size(); ++i) {
      const bool low = i < codes.size();
      const unsigned byte = codes[low ? i : i - codes.size()];
      if (((low ? byte : byte >> 4) & 7) < least) continue;
      return Note(DataFault::kScaleOverflows, Kind::kE8M0, at, raw, i);
    }
  }

  void JudgeUE4M3(std::size_t at, std::uint64_t raw, std::size_t group) const {
    constexpr std::uint64_t kGroupElements = 16;
    if (!Full() || raw < 0x7F) return;
    const DataFault fault = raw == 0x7F ? DataFault::kScaleNan : DataFault::kScaleSigned;
    Note(fault, Kind::kUE4M3, at, raw, group * kGroupElements);
  }

  // A byte of TQ2_0 has four elements at a distance of 32; 32 bytes are half of the block.
  void JudgeTernary(std::size_t at, std::uint64_t raw) const {
    if (!Full() || (raw & raw >> 1 & 0x55) == 0) return;
    for (std::uint64_t code = 0; code < 4; ++code) {
      if ((raw >> (2 * code) & 3) != 3) continue;
      Note(DataFault::kTernaryCode, Kind::kTernaryCodes, at, raw,
           at / 32 * 128 + 32 * code + at % 32);
    }
  }

  const BlockRun& run_;
  Bytes block_;
  std::uint64_t index_;
  DataTally& tally_;
};

}  // namespace

void ScanScalar(const BlockRun& run, Bytes bytes, DataTally& tally) {
  const std::span<const BlockField> fields = FieldsOf(run.type->type);
  const std::size_t block_bytes = run.type->block_bytes;
  std::uint64_t index = run.first_block;
  for (std::size_t at = 0; at < bytes.size(); at += block_bytes, ++index) {
    const BlockScan block(run, bytes.subspan(at, block_bytes), index, tally);
    for (const BlockField& field : fields) {
      for (std::size_t i = 0; i < field.count; ++i) block.Judge(field, i);
    }
  }
  if (run.depth == Depth::kFull && !tally.nonzero) {
    tally.nonzero = std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; });
  }
}

}  // namespace ggufgate
