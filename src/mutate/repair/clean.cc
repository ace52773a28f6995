#include "mutate/repair/clean.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "bytes/byte_order.h"
#include "format/tensors/block_fields.h"

namespace ggufgate::mutate {
namespace {

constexpr ByteOrder kOrder = ByteOrder::kLittle;

// Lanes checks as many floats as fit into a word of 8 bytes. If the exponent is all ones, adding 1
// to it carries into the sign bit. No carry reaches the next float.
struct Lanes {
  std::uint64_t exponents;  // all exponent bits
  std::uint64_t lowest;     // the lowest exponent bit of each float
  unsigned exponent_bits;

  // Offending returns the lowest exponent bit of each float that is NaN or infinite.
  [[nodiscard]] constexpr std::uint64_t Offending(std::uint64_t word) const {
    const std::uint64_t signs = lowest << exponent_bits;
    return (((word & exponents) + lowest) & signs) >> exponent_bits;
  }
};

// LanesOf repeats a float format of `bits` bits with `exponent_bits` over the word.
constexpr Lanes LanesOf(unsigned bits, unsigned exponent_bits) {
  const unsigned mantissa_bits = bits - 1 - exponent_bits;
  std::uint64_t lowest = 0;
  for (unsigned at = 0; at < 64; at += bits) lowest |= std::uint64_t{1} << (at + mantissa_bits);
  return {.exponents = lowest * ((std::uint64_t{1} << exponent_bits) - 1),
          .lowest = lowest,
          .exponent_bits = exponent_bits};
}
constexpr Lanes kF16 = LanesOf(16, 5);
constexpr Lanes kBF16 = LanesOf(16, 8);
constexpr Lanes kF32 = LanesOf(32, 8);
constexpr Lanes kF64 = LanesOf(64, 11);
static_assert(kF16.Offending(0x7C00'FC01'7BFF'0000) == 0x0400'0400'0000'0000);
static_assert(kF32.Offending(0xFF80'0000'7F7F'FFFF) == 0x0080'0000'0000'0000);
static_assert(kF64.Offending(0x7FEF'FFFF'FFFF'FFFF) == 0 && kF64.Offending(~0ULL) != 0);

Lanes LanesOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBF16:
      return kBF16;
    case FieldKind::kF32:
    case FieldKind::kQ8KScale:
      return kF32;
    case FieldKind::kF64:
      return kF64;
    default:
      return kF16;
  }
}

// IQ1_M spreads an f16 over the top four bits of four words: the exponent is in bits 46, 47 and 60
// to 62 of the eight bytes.
constexpr std::uint64_t kSpreadExponent = 0x7000'C000'0000'0000;
constexpr std::uint64_t kSpreadLowest = 0x0000'4000'0000'0000;

// OffendingField returns the bit to flip in a field of up to 8 bytes, or 0 if the field is finite.
template <FieldKind kKind, Scalar T>
constexpr T OffendingField(T raw) {
  if constexpr (kKind == FieldKind::kE8M0) {
    return raw == 0xFF ? T{0x80} : T{0};
  } else if constexpr (kKind == FieldKind::kIQ1MScale) {
    return (raw & kSpreadExponent) == kSpreadExponent ? kSpreadLowest : T{0};
  } else {
    constexpr Lanes kLanes = sizeof(T) == 4 ? kF32 : kF16;
    return static_cast<T>(kLanes.Offending(raw));
  }
}

// Column is the place of a field: `offset` in every block of `stride` bytes.
struct Column {
  std::size_t offset;
  std::size_t stride;
};

template <FieldKind kKind, Scalar T>
bool IsCleanColumn(Bytes data, Column column) {
  T all = 0;
  for (std::size_t at = column.offset; at + sizeof(T) <= data.size(); at += column.stride) {
    all |= OffendingField<kKind>(Load<T>(data.subspan(at), kOrder));
  }
  return all == 0;
}

template <FieldKind kKind, Scalar T>
void MakeCleanColumn(MutableBytes data, Column column) {
  for (std::size_t at = column.offset; at + sizeof(T) <= data.size(); at += column.stride) {
    const T raw = Load<T>(data.subspan(at), kOrder);
    Store(static_cast<T>(raw ^ OffendingField<kKind>(raw)), kOrder, data.subspan(at));
  }
}

// WithColumn calls `act` with the kind and the width of a field as types.
template <typename Act>
void WithColumn(FieldKind kind, Act act) {
  switch (kind) {
    case FieldKind::kF16:
      return act.template operator()<FieldKind::kF16, std::uint16_t>();
    case FieldKind::kQ8KScale:
      return act.template operator()<FieldKind::kQ8KScale, std::uint32_t>();
    case FieldKind::kIQ1MScale:
      return act.template operator()<FieldKind::kIQ1MScale, std::uint64_t>();
    case FieldKind::kE8M0:
      return act.template operator()<FieldKind::kE8M0, std::uint8_t>();
    default:  // codes, and scales without NaN or infinity
      return;
  }
}

// LastWord pads the last bytes of some data with zeros to a word.
std::uint64_t LastWord(Bytes rest) {
  std::array<std::uint8_t, 8> word{};
  std::ranges::copy(rest, word.begin());
  return Load<std::uint64_t>(word, kOrder);
}

bool AreFinite(Bytes data, Lanes lanes) {
  std::uint64_t offending = 0;
  for (; data.size() >= 8; data = data.subspan(8)) {
    offending |= lanes.Offending(Load<std::uint64_t>(data, kOrder));
  }
  return (offending | lanes.Offending(LastWord(data))) == 0;
}

void MakeFinite(MutableBytes data, Lanes lanes) {
  for (; data.size() >= 8; data = data.subspan(8)) {
    const auto word = Load<std::uint64_t>(data, kOrder);
    Store(word ^ lanes.Offending(word), kOrder, data);
  }
  std::array<std::uint8_t, 8> last{};
  const std::uint64_t word = LastWord(data);
  Store(word ^ lanes.Offending(word), kOrder, last);
  std::ranges::copy(std::span(last).first(data.size()), data.begin());
}

bool IsPlain(std::span<const BlockField> fields) {
  return !fields.empty() && fields.front().role == FieldRole::kValue;
}

std::size_t StrideOf(std::uint32_t type) {
  const TensorTypeInfo* const info = FindTensorType(type);
  return info != nullptr ? info->block_bytes : std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

bool IsClean(std::uint32_t type, Bytes data) {
  const std::span<const BlockField> fields = FieldsOf(TensorType{type});
  if (IsPlain(fields)) return AreFinite(data, LanesOf(fields.front().kind));
  const std::size_t stride = StrideOf(type);
  bool clean = true;
  for (const BlockField& field : fields) {
    WithColumn(field.kind, [&]<FieldKind kKind, typename T>() {
      clean = clean && IsCleanColumn<kKind, T>(data, {field.offset, stride});
    });
  }
  return clean;
}

void MakeClean(std::uint32_t type, MutableBytes data) {
  const std::span<const BlockField> fields = FieldsOf(TensorType{type});
  if (IsPlain(fields)) return MakeFinite(data, LanesOf(fields.front().kind));
  const std::size_t stride = StrideOf(type);
  for (const BlockField& field : fields) {
    WithColumn(field.kind, [&]<FieldKind kKind, typename T>() {
      MakeCleanColumn<kKind, T>(data, {field.offset, stride});
    });
  }
}

}  // namespace ggufgate::mutate
