#include "mutate/build/data_fields.h"

namespace ggufgate::mutate {
namespace {

// Float is the bit layout of a format. The sign is above the exponent.
struct Float {
  unsigned exponent_bits = 0;
  unsigned mantissa_bits = 0;

  [[nodiscard]] std::uint64_t Mantissa() const { return (std::uint64_t{1} << mantissa_bits) - 1; }
  [[nodiscard]] std::uint64_t Exponent() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  [[nodiscard]] std::uint64_t Sign() const {
    return std::uint64_t{1} << (exponent_bits + mantissa_bits);
  }
};

Float FormatOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kF64:
      return {11, 52};
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return {8, 23};
    case FieldKind::kBF16:
      return {8, 7};
    default:
      return {5, 10};
  }
}

// PutSpread stores an f16 in the top four bits of four words, the lowest bits first.
void PutSpread(MutationContext& context, std::uint64_t at, std::uint64_t bits) {
  for (unsigned word = 0; word < 4; ++word) {
    const std::uint64_t word_at = at + std::uint64_t{2} * word;
    const unsigned kept = context.Get<std::uint16_t>(word_at) & 0x0FFFU;
    const auto nibble = static_cast<unsigned>(bits >> (4 * word) & 0xF);
    context.Put(word_at, static_cast<std::uint16_t>(kept | nibble << 12));
  }
  context.lie_at = at;
}

}  // namespace

bool IsFloat(FieldKind kind) {
  switch (kind) {
    case FieldKind::kF16:
    case FieldKind::kBF16:
    case FieldKind::kF32:
    case FieldKind::kF64:
    case FieldKind::kIQ1MScale:
    case FieldKind::kQ8KScale:
    case FieldKind::kE8M0:
      return true;
    default:
      return false;
  }
}

std::uint64_t NotFinite(Random& random, FieldKind kind) {
  if (kind == FieldKind::kE8M0) return 0xFF;
  const Float format = FormatOf(kind);
  const std::uint64_t sign = random.OneIn(2) ? format.Sign() : 0;
  const std::uint64_t quiet = std::uint64_t{1} << (format.mantissa_bits - 1);
  switch (random.Below(4)) {
    case 0:
      return sign | format.Exponent();
    case 1:
      return sign | format.Exponent() | quiet;
    case 2:
      return sign | format.Exponent() | 1;
    default:
      return sign | format.Exponent() | (random.Next() & format.Mantissa());
  }
}

std::uint64_t Extreme(Random& random, FieldKind kind) {
  if (kind == FieldKind::kE8M0) return random.OneIn(2) ? 0 : 0xFE;
  const Float format = FormatOf(kind);
  const std::uint64_t sign = random.OneIn(2) ? format.Sign() : 0;
  switch (random.Below(4)) {
    case 0:
      return sign | (format.Exponent() - 1);  // the largest: ones, except the exponent's lowest bit
    case 1:
      return sign | 1;
    case 2:
      return sign | format.Mantissa();  // the largest subnormal
    default:
      return format.Sign();
  }
}

void PutField(MutationContext& context, const FieldPlace& place, std::uint64_t bits) {
  const TensorTypeInfo* type = FindTensorType(context.draft.tensors[place.tensor].type);
  if (type == nullptr) return;
  const std::uint64_t at =
      context.placement.data[place.tensor] + place.block * type->block_bytes + place.field.offset;
  if (place.field.kind == FieldKind::kIQ1MScale) return PutSpread(context, at, bits);
  switch (FieldBytes(place.field.kind)) {
    case 8:
      return context.Put(at, bits);
    case 4:
      return context.Put(at, static_cast<std::uint32_t>(bits));
    case 2:
      return context.Put(at, static_cast<std::uint16_t>(bits));
    default:
      return context.Put(at, static_cast<std::uint8_t>(bits));
  }
}

}  // namespace ggufgate::mutate
