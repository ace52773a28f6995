#include "cli/dequantize/scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "dequantize/dequantize.h"
#include "format/tensors/block_fields.h"
#include "gate/reading/read_document.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;

// FloatIn decodes one number of a plain type.
float FloatIn(TensorType type, Bytes bytes, ByteOrder order) {
  std::array<float, 1> value{};
  const bool done = Dequantize(type, bytes, value, order) == Dequantized::kDone;
  return done ? value.front() : std::numeric_limits<float>::quiet_NaN();
}

// Source: the OCP microscaling specification 1.0, E8M0; NVFP4 as ggml d99724f2 reads it.
float Unsigned4M3(std::uint8_t byte) {
  const int bits = byte & 0x7F;
  if (bits == 0x7F) return std::numeric_limits<float>::quiet_NaN();
  const int exponent = bits >> 3;
  const auto fraction = static_cast<float>(bits & 7) / 8;
  return exponent == 0 ? std::ldexp(fraction, -6) : std::ldexp(1 + fraction, exponent - 7);
}

// The top four bits of four words are one f16, the lowest first.
float ScattedHalf(Bytes words, ByteOrder order) {
  std::uint16_t half = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto word = Load<std::uint16_t>(words.subspan(2 * i), order);
    half = static_cast<std::uint16_t>(half | ((word >> 12) << (4 * i)));
  }
  std::array<std::uint8_t, 2> bytes{};
  Store(half, ByteOrder::kLittle, bytes);
  return FloatIn(TensorType::kF16, bytes, ByteOrder::kLittle);
}

float ScaleIn(FieldKind kind, Bytes bytes, ByteOrder order) {
  switch (kind) {
    case FieldKind::kF16:
      return FloatIn(TensorType::kF16, bytes.first(2), order);
    case FieldKind::kBF16:
      return FloatIn(TensorType::kBF16, bytes.first(2), order);
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return FloatIn(TensorType::kF32, bytes.first(4), order);
    case FieldKind::kIQ1MScale:
      return ScattedHalf(bytes, order);
    case FieldKind::kE8M0:
      return std::ldexp(1.0F, bytes.front() - 127);
    case FieldKind::kUE4M3:
      return Unsigned4M3(bytes.front());
    default:
      return std::numeric_limits<float>::quiet_NaN();
  }
}

void Count(float scale, WeightPicture& picture) {
  ++picture.scales;
  if (scale == 0) {
    ++picture.zero_scales;
    return;
  }
  if (!std::isfinite(scale)) return;
  const float power = std::log2(std::fabs(scale)) - static_cast<float>(WeightPicture::kLeastScale);
  constexpr auto kLast = static_cast<float>(WeightPicture::kBins - 1);
  const float bin = std::clamp(power * static_cast<float>(WeightPicture::kScaleBins), 0.0F, kLast);
  ++picture.scale_bins.at(static_cast<std::size_t>(bin));
}

}  // namespace

absl::Status CountScales(const ByteSource& source, const TensorTypeInfo& type, ByteOrder order,
                         ByteRange data, WeightPicture& picture) {
  std::vector<BlockField> fields;
  for (const BlockField& field : FieldsOf(type.type)) {
    if (field.role == FieldRole::kScale) fields.push_back(field);
  }
  if (fields.empty()) return absl::OkStatus();
  const std::uint64_t block = type.block_bytes;
  std::vector<std::uint8_t> bytes(kReadBytes / block * block);
  while (data.size >= block) {
    const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), data.size / block * block);
    const MutableBytes part = MutableBytes(bytes).first(size);
    if (absl::Status status = StatusOf(source.ReadAt(data.begin, part)); !status.ok())
      return status;
    for (std::uint64_t at = 0; at < size; at += block) {
      const Bytes one = Bytes(part).subspan(at, block);
      for (const BlockField& field : fields) {
        for (std::size_t i = 0; i < field.count; ++i) {
          Count(ScaleIn(field.kind, one.subspan(field.offset + i * FieldBytes(field.kind)), order),
                picture);
        }
      }
    }
    data = {data.begin + size, data.size - size};
  }
  return absl::OkStatus();
}

}  // namespace ggufgate
