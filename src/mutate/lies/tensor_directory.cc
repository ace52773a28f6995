// Lies about the names, dimensions and types of tensors.

#include <algorithm>
#include <array>
#include <string_view>

#include "format/tensors/foreign_type.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/lies/solver.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kNegative = std::uint64_t{1} << 63;

std::uint64_t DimensionAt(const MutationContext& context, std::size_t i, std::size_t k) {
  return Placement::DimensionAt(context.placement.tensors[i], context.draft.tensors[i], k);
}

bool HasBlocks(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type != nullptr && type->block_elements > 1 && tensor.dimension_count > 0;
}

// AnyBlockType returns a type with several elements per block.
TensorType AnyBlockType(Random& random) {
  const std::span<const TensorTypeInfo> types = AllTensorTypes();
  const std::size_t begin = random.Below(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const TensorTypeInfo& type = types[(begin + i) % types.size()];
    if (type.block_elements > 1) return type.type;
  }
  return TensorType::kQ4_0;
}

std::optional<std::size_t> TensorOfBlocks(MutationContext& context) {
  const auto i = PickIndex(context.random, context.draft.tensors, HasBlocks);
  return i ? i : InsertTensor(context, AnyBlockType(context.random), 1);
}

// WriteWithDimension writes the draft. The lie is in dimension `k` of tensor `i`.
bool WriteWithDimension(MutationContext& context, std::size_t i, std::size_t k) {
  if (context.Write()) context.lie_at = DimensionAt(context, i, k);
  return true;
}

// PutType changes the type of some tensor.
bool PutType(MutationContext& context, std::uint32_t type) {
  const auto i = SomeTensor(context);
  if (!i || !context.Write()) return false;
  context.Put(Placement::TypeAt(context.placement.tensors[*i], context.draft.tensors[*i]), type);
  return true;
}

}  // namespace

bool LieNameBeyond(MutationContext& context) {
  const auto i = SomeTensor(context);
  if (!i || !context.Write()) return false;
  const std::uint64_t at = context.placement.tensors[*i];
  if (!context.Holds(at, 8)) return false;
  const std::uint64_t rest = context.bytes().size() - (at + 8);
  context.Put(at, Beyond(context, at, rest + 1));
  return true;
}

bool LieNameTooLong(MutationContext& context) {
  constexpr std::array<std::size_t, 6> kSizes = {160, 161, 191, 192, 255, 256};
  const std::size_t size = context.random.Pick(kSizes);
  if (!HasRoom(context, 512 + 2 * context.draft.alignment)) return false;
  const std::string_view name = FreshName(context, size);
  if (name.size() < kSizes.front()) return false;
  const auto i = InsertTensor(context, TensorType::kF32, 1);
  if (!i) return false;
  context.draft.tensors[*i].name = name;
  if (context.Write()) context.lie_at = context.placement.tensors[*i];
  return true;
}

bool LieNameTwice(MutationContext& context) {
  const auto first = SomeTensor(context);
  if (!first) return false;
  const std::string_view name = context.draft.tensors[*first].name;
  if (!HasRoom(context, 256 + name.size() + 2 * context.draft.alignment)) return false;
  const auto i = InsertTensor(context, TensorType::kF32, 1);
  if (!i) return false;
  context.draft.tensors[*i].name = name;
  return true;
}

bool LieDimensions(MutationContext& context) {
  constexpr std::array<std::uint32_t, 9> kCounts = {
      6, 7, 8, 9, 255, 0x4000'0000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
  const auto i = SomeTensor(context);
  if (!i || !context.Write()) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  context.Put(Placement::DimensionCountAt(context.placement.tensors[*i], tensor),
              context.random.OneIn(4)
                  ? static_cast<std::uint32_t>(context.random.Between(6, 0xFFFF'FFFF))
                  : context.random.Pick(kCounts));
  return true;
}

// The record would be correct if the format allowed it; the bytes after it move.
bool LieDimensionsWhole(MutationContext& context) {
  const auto i = SomeTensor(context);
  const auto count = static_cast<std::uint32_t>(context.random.Between(6, 9));
  if (!i || !HasRoom(context, 8 * std::uint64_t{count}) || !context.Write()) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const std::uint64_t begin = context.placement.tensors[*i];
  const std::size_t more = count - tensor.dimension_count;
  if (!context.Insert(Placement::TypeAt(begin, tensor), 8 * more)) return true;
  for (std::size_t k = tensor.dimension_count; k < count; ++k) {
    context.Put<std::uint64_t>(Placement::DimensionAt(begin, tensor, k), 1);
  }
  context.Put(Placement::DimensionCountAt(begin, tensor), count);
  return true;
}

// Rows stay whole blocks; otherwise another rule would report them.
bool LieDimensionNegative(MutationContext& context) {
  const auto i = SomeTensor(context);
  if (!i || !HasRoom(context, 8)) return false;
  Tensor& tensor = context.draft.tensors[*i];
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  if (type == nullptr) return false;
  if (tensor.dimension_count == 0) tensor.dimension_count = 1;
  const std::size_t k = context.random.Below(tensor.dimension_count);
  const std::uint64_t step = k == 0 ? type->block_elements : 1;
  constexpr std::array<std::uint64_t, 4> kSteps = {0, 1, 2, 16};
  switch (context.random.Below(3)) {
    case 0:
      tensor.dims[k] = kNegative + step * context.random.Pick(kSteps);
      break;
    case 1:
      tensor.dims[k] = std::uint64_t{0} - step * context.random.Between(1, 4);
      break;
    default:
      tensor.dims[k] = kNegative | context.random.Next() / step * step;
  }
  return WriteWithDimension(context, *i, k);
}

// 2^63 times an even number is 0 modulo 2^64.
bool LieDimensionNegativeWraps(MutationContext& context) {
  const auto even = [](const Tensor& tensor) {
    return IsUnruled(tensor) && tensor.dims[0] % 2 == 0 && tensor.dimension_count > 0 &&
           FindTensorType(tensor.type) != nullptr;
  };
  auto i = PickIndex(context.random, context.draft.tensors, even);
  if (!i) i = InsertTensor(context, TensorType::kF32, 2 * context.random.Between(1, 8));
  if (!i || !HasRoom(context, 32)) return false;
  Tensor& tensor = context.draft.tensors[*i];
  const std::size_t k = context.random.Between(1, 3);
  tensor.dimension_count = std::max(tensor.dimension_count, static_cast<std::uint32_t>(k + 1));
  tensor.dims[k] += kNegative;
  return WriteWithDimension(context, *i, k);
}

bool LieDimensionZero(MutationContext& context) {
  const auto i = SomeTensor(context);
  if (!i || !HasRoom(context, 32)) return false;
  Tensor& tensor = context.draft.tensors[*i];
  const std::size_t k = context.random.Between(1, 3);
  tensor.dimension_count = std::max(tensor.dimension_count, static_cast<std::uint32_t>(k + 1));
  tensor.dims[k] = 0;
  tensor.data = {};
  LayOut(context.draft);
  return WriteWithDimension(context, *i, k);
}

bool LieTypeRemoved(MutationContext& context) {
  constexpr std::array<std::uint32_t, 8> kRemoved = {4, 5, 31, 32, 33, 36, 37, 38};
  return PutType(context, context.random.Pick(kRemoved));
}

bool LieTypeOfFork(MutationContext& context) {
  auto type = static_cast<std::uint32_t>(context.random.Between(97, 399));
  while (ForeignTypesOf(type).empty() || FindTensorType(type) != nullptr) {
    type = type < 399 ? type + 1 : 97;
  }
  return PutType(context, type);
}

bool LieTypeUnknown(MutationContext& context) {
  constexpr std::array<std::uint32_t, 9> kUnknown = {
      60, 61, 64, 255, 256, 0x100'0000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
  const auto any = static_cast<std::uint32_t>(context.random.Next());
  const bool taken = FindTensorType(any) != nullptr || context.random.OneIn(2);
  return PutType(context, taken ? context.random.Pick(kUnknown) : any);
}

bool LieRowBlocks(MutationContext& context) {
  const auto i = TensorOfBlocks(context);
  if (!i || !HasRoom(context, 0)) return false;
  Tensor& tensor = context.draft.tensors[*i];
  const std::uint64_t elements = FindTensorType(tensor.type)->block_elements;
  const std::uint64_t part = context.random.OneIn(2) ? 1 : context.random.Between(1, elements - 1);
  tensor.dims[0] = context.random.OneIn(2) ? tensor.dims[0] + part : tensor.dims[0] - part;
  return WriteWithDimension(context, *i, 0);
}

bool LieRowBlocksScalar(MutationContext& context) {
  const auto i = TensorOfBlocks(context);
  if (!i || !HasRoom(context, 0)) return false;
  Tensor& tensor = context.draft.tensors[*i];
  tensor.dimension_count = 0;
  if (context.Write()) {
    context.lie_at = Placement::DimensionCountAt(context.placement.tensors[*i], tensor);
  }
  return true;
}

// The data remain as a gap at the end, or are removed. Skips tensors of the feed-forward network,
// in which empty rows are an error unless their length is known (tensor-empty).
bool BenignRowEmpty(MutationContext& context) {
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  if (tensors.empty() || tensors[tensors.size() - 1].dimension_count == 0) return false;
  const std::size_t last = tensors.size() - 1;
  if (tensors[last].name.find(".ffn_") != std::string_view::npos) return false;
  if (last > 0 && HoldsZeros(context, last - 1)) return false;  // the file might end in zeros
  context.Put<std::uint64_t>(DimensionAt(context, last, 0), 0);
  if (context.random.OneIn(2)) (void)context.Cut(context.placement.data[last]);
  return true;
}

}  // namespace ggufgate::mutate
