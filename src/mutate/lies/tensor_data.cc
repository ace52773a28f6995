// Lies in the data of tensors: values that are not finite. And benign mutations: values that no
// encoder writes.

#include <algorithm>
#include <array>

#include "mutate/build/data_fields.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

std::uint64_t BlocksOf(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type == nullptr ? 0 : tensor.data.size() / type->block_bytes;
}

// TypeWith returns a random tensor type with a field that `wanted` accepts.
template <typename Wanted>
TensorType TypeWith(Random& random, Wanted wanted) {
  const std::span<const TensorTypeInfo> types = AllTensorTypes();
  const std::size_t begin = random.Below(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const TensorType type = types[(begin + i) % types.size()].type;
    if (FindField(type, wanted) != nullptr) return type;
  }
  return TensorType::kF32;
}

// SomeBlocks returns a number of blocks for a tensor. Kernels process four, eight or sixteen at a
// time, and their bugs are often in the last blocks of a stretch.
std::uint64_t SomeBlocks(Random& random, std::uint64_t least) {
  constexpr std::array<std::uint64_t, 3> kStretches = {4, 8, 16};
  return random.OneIn(2) ? random.Pick(kStretches) : least + random.Below(4);
}

// FieldOf returns a field that `wanted` accepts, in a tensor of at least `least` blocks. In a third
// of all cases, and if there is no such tensor, it adds one. `last` selects the last block.
template <typename Wanted>
std::optional<FieldPlace> FieldOf(MutationContext& context, std::uint64_t least, bool last,
                                  Wanted wanted) {
  std::optional<std::size_t> i;
  if (context.written() || !context.random.OneIn(3)) {
    i = PickIndex(context.random, context.draft.tensors, [&](const Tensor& tensor) {
      return BlocksOf(tensor) >= least && FindField(TensorType{tensor.type}, wanted) != nullptr;
    });
  }
  if (!i) {
    const TensorType type = TypeWith(context.random, wanted);
    i = InsertTensor(context, type, SomeBlocks(context.random, least));
    if (!i) return std::nullopt;
  }
  const Tensor& tensor = context.draft.tensors[*i];
  const BlockField* field = FindField(TensorType{tensor.type}, wanted);
  const std::uint64_t blocks = BlocksOf(tensor);
  if (field == nullptr || blocks == 0) return std::nullopt;
  return FieldPlace{*i, *field, last ? blocks - 1 : context.random.Below(blocks)};
}

// Spoil makes such a field NaN or infinite.
template <typename Wanted>
bool Spoil(MutationContext& context, std::uint64_t least, bool last, Wanted wanted) {
  const std::optional<FieldPlace> place = FieldOf(context, least, last, wanted);
  if (!place || !context.Write()) return false;
  PutField(context, *place, NotFinite(context.random, place->field.kind));
  return true;
}

bool IsScale(const BlockField& field) {
  return field.role == FieldRole::kScale && IsFloat(field.kind);
}

template <FieldKind kKind>
bool IsOfKind(const BlockField& field) {
  return field.kind == kKind;
}

// Values, not scales.
template <FieldKind kKind>
bool IsValue(const BlockField& field) {
  return field.kind == kKind && field.role == FieldRole::kValue;
}

}  // namespace

bool LieScaleNotFinite(MutationContext& context) { return Spoil(context, 1, false, IsScale); }

bool LieMinimumNotFinite(MutationContext& context) {
  return Spoil(context, 1, false,
               [](const BlockField& field) { return field.role == FieldRole::kMinimum; });
}

bool LieLastScaleNotFinite(MutationContext& context) { return Spoil(context, 2, true, IsScale); }

bool LieAllScalesNotFinite(MutationContext& context) {
  std::optional<FieldPlace> place = FieldOf(context, 2, false, IsScale);
  if (!place || !context.Write()) return false;
  const std::uint64_t bits = NotFinite(context.random, place->field.kind);
  for (std::uint64_t left = BlocksOf(context.draft.tensors[place->tensor]); left > 0; --left) {
    place->block = left - 1;
    PutField(context, *place, bits);
  }
  return true;
}

bool LieSpreadScaleNotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsOfKind<FieldKind::kIQ1MScale>);
}

bool LieWideScaleNotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsOfKind<FieldKind::kQ8KScale>);
}

bool LieExponentNan(MutationContext& context) {
  return Spoil(context, 1, false, IsOfKind<FieldKind::kE8M0>);
}

bool LieVectorNotFinite(MutationContext& context) {
  auto i = PickIndex(context.random, context.draft.tensors, [](const Tensor& tensor) {
    const TensorType type{tensor.type};
    return tensor.dimension_count <= 1 && BlocksOf(tensor) > 0 && !FieldsOf(type).empty() &&
           FieldsOf(type).front().role == FieldRole::kValue;
  });
  constexpr std::array kTypes = {TensorType::kF32, TensorType::kF16, TensorType::kBF16,
                                 TensorType::kF64};
  if (!i) {
    const TensorType type = context.random.Pick(kTypes);
    i = InsertTensor(context, type, context.random.Between(1, 40));
  }
  if (!i || !context.Write()) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const BlockField field = FieldsOf(TensorType{tensor.type}).front();
  const std::uint64_t block = context.random.Below(BlocksOf(tensor));
  PutField(context, {*i, field, block}, NotFinite(context.random, field.kind));
  return true;
}

bool LieF32NotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsValue<FieldKind::kF32>);
}
bool LieF16NotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsValue<FieldKind::kF16>);
}
bool LieBF16NotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsValue<FieldKind::kBF16>);
}
bool LieF64NotFinite(MutationContext& context) {
  return Spoil(context, 1, false, IsValue<FieldKind::kF64>);
}

namespace {

bool CanBeReserved(const BlockField& field) {
  switch (field.kind) {
    case FieldKind::kE8M0:
    case FieldKind::kUE4M3:
    case FieldKind::kQ8Code:
    case FieldKind::kTernaryCodes:
    case FieldKind::kQ8KScale:
      return true;
    default:
      return false;
  }
}

// ReservedBits returns a reserved or out-of-range encoding of the field.
std::uint64_t ReservedBits(Random& random, FieldKind kind) {
  switch (kind) {
    case FieldKind::kE8M0:
      return random.Between(253, 254);
    case FieldKind::kUE4M3:
      return random.OneIn(2) ? 0x7F : random.Between(0x80, 0xFF);
    case FieldKind::kQ8Code:
      return 0x80;
    case FieldKind::kTernaryCodes: {
      const std::uint64_t code = std::uint64_t{3} << 2 * random.Below(4);
      return random.Next() | code;
    }
    default:
      return 0x7F7F'FFFF;  // the largest 32-bit float
  }
}

}  // namespace

// Only large codes reveal the value of a scale.
bool BenignEncodingReserved(MutationContext& context) {
  const auto i = PickIndex(context.random, context.draft.tensors, [](const Tensor& tensor) {
    return BlocksOf(tensor) > 0 && FindField(TensorType{tensor.type}, CanBeReserved) != nullptr;
  });
  if (!i) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  BlockField field = *FindField(TensorType{tensor.type}, CanBeReserved);
  const std::uint64_t block = context.random.Below(BlocksOf(tensor));
  field.offset = static_cast<std::uint16_t>(field.offset + FieldBytes(field.kind) *
                                                               context.random.Below(field.count));
  PutField(context, {*i, field, block}, ReservedBits(context.random, field.kind));
  if (field.kind == FieldKind::kE8M0 || field.kind == FieldKind::kQ8KScale) {
    field.offset = static_cast<std::uint16_t>(FieldBytes(field.kind));
    field.kind = FieldKind::kQ8Code;
    PutField(context, {*i, field, block}, 0x7F);
  }
  return true;
}

bool BenignExtremeValue(MutationContext& context) {
  const auto is_float = [](const BlockField& field) { return IsFloat(field.kind); };
  const auto i = PickIndex(context.random, context.draft.tensors, [&](const Tensor& tensor) {
    return BlocksOf(tensor) > 0 && FindField(TensorType{tensor.type}, is_float) != nullptr;
  });
  if (!i) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const BlockField field = *FindField(TensorType{tensor.type}, is_float);
  const std::uint64_t block = context.random.Below(BlocksOf(tensor));
  PutField(context, {*i, field, block}, Extreme(context.random, field.kind));
  return true;
}

namespace {

// Fill sets all data of a tensor in the written file.
bool Fill(MutationContext& context, std::size_t i, std::uint8_t byte) {
  const std::size_t size = context.draft.tensors[i].data.size();
  const std::uint64_t at = context.placement.data[i];
  if (!context.Holds(at, size)) return false;
  std::ranges::fill(context.bytes().subspan(at, size), byte);
  return true;
}

}  // namespace

// The lie appends a tensor of plain bytes and two tensors of zeros, each a quarter of the rest or
// more.
bool LieZeroTail(MutationContext& context) {
  const Draft& draft = context.draft;
  std::uint64_t size = DirectoryEnd(draft) + kRoomForKeys + 4 * draft.alignment;
  for (const Tensor& tensor : draft.tensors) size += tensor.data.size() + draft.alignment;
  const std::uint64_t values = size / 4 / sizeof(float) + context.random.Between(1, 16);
  if (!MakeRoom(context, 3 * kRoomForKeys + 2 * values * sizeof(float))) return false;
  const auto append = [&](std::uint64_t count) {
    return InsertTensor(context, TensorType::kF32, count, draft.tensors.size());
  };
  const std::optional<std::size_t> plain = append(1);
  if (!plain || !append(values) || !append(values) || !context.Write()) return false;
  context.lie_at = context.placement.data[*plain + 1];
  return Fill(context, *plain + 1, 0) && Fill(context, *plain + 2, 0);
}

// Two zero tensors next to each other may be the end of the file.
bool BenignAllZero(MutationContext& context) {
  const auto i = PickIndex(context.random, context.draft.tensors,
                           [](const Tensor& tensor) { return !tensor.data.empty(); });
  if (!i || (*i > 0 && HoldsZeros(context, *i - 1))) return false;
  const bool is_last = *i + 1 == context.draft.tensors.size();
  return (is_last || !HoldsZeros(context, *i + 1)) && Fill(context, *i, 0);
}

}  // namespace ggufgate::mutate
