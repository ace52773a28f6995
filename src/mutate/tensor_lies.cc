// Lies about the names, dimensions and types of tensors.

#include <algorithm>
#include <array>

#include "mutate/mutations.h"
#include "mutate/parts.h"
#include "mutate/solver.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kNegative = std::uint64_t{1} << 63;

std::uint64_t DimensionAt(const Bench& bench, std::size_t i, std::size_t k) {
  return Placement::DimensionAt(bench.placement.tensors[i], bench.draft.tensors[i], k);
}

bool HasBlocks(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type != nullptr && type->block_elements > 1 && tensor.dimension_count > 0;
}

// AnyBlockType is a type with several elements in a block.
TensorType AnyBlockType(Random& random) {
  const std::span<const TensorTypeInfo> types = AllTensorTypes();
  const std::size_t begin = random.Below(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const TensorTypeInfo& type = types[(begin + i) % types.size()];
    if (type.block_elements > 1) return type.type;
  }
  return TensorType::kQ4_0;
}

std::optional<std::size_t> TensorOfBlocks(Bench& bench) {
  const auto i = PickIndex(bench.random, bench.draft.tensors, HasBlocks);
  return i ? i : AddTensor(bench, AnyBlockType(bench.random), 1);
}

// WriteWithDimension writes the draft, in which dimension `k` of tensor `i` lies.
bool WriteWithDimension(Bench& bench, std::size_t i, std::size_t k) {
  if (bench.Write()) bench.lie_at = DimensionAt(bench, i, k);
  return true;
}

// PutType gives any tensor a type.
bool PutType(Bench& bench, std::uint32_t type) {
  const auto i = SomeTensor(bench);
  if (!i || !bench.Write()) return false;
  bench.Put(Placement::TypeAt(bench.placement.tensors[*i], bench.draft.tensors[*i]), type);
  return true;
}

}  // namespace

bool LieNameBeyond(Bench& bench) {
  const auto i = SomeTensor(bench);
  if (!i || !bench.Write()) return false;
  const std::uint64_t at = bench.placement.tensors[*i];
  if (!bench.Holds(at, 8)) return false;
  const std::uint64_t rest = bench.bytes().size() - (at + 8);
  bench.Put<std::uint64_t>(at, NumberBeyond(bench.random, rest + 1));
  return true;
}

bool LieNameTooLong(Bench& bench) {
  constexpr std::array<std::size_t, 6> kSizes = {160, 161, 191, 192, 255, 256};
  const std::size_t size = bench.random.Pick(kSizes);
  if (!HasRoom(bench, 512 + 2 * bench.draft.alignment)) return false;
  const std::string_view name = FreshName(bench, size);
  if (name.size() < kSizes.front()) return false;
  const auto i = AddTensor(bench, TensorType::kF32, 1);
  if (!i) return false;
  bench.draft.tensors[*i].name = name;
  if (bench.Write()) bench.lie_at = bench.placement.tensors[*i];
  return true;
}

bool LieNameTwice(Bench& bench) {
  const auto first = SomeTensor(bench);
  if (!first) return false;
  const std::string_view name = bench.draft.tensors[*first].name;
  if (!HasRoom(bench, 256 + name.size() + 2 * bench.draft.alignment)) return false;
  const auto i = AddTensor(bench, TensorType::kF32, 1);
  if (!i) return false;
  bench.draft.tensors[*i].name = name;
  return true;
}

bool LieDimensions(Bench& bench) {
  constexpr std::array<std::uint32_t, 9> kCounts = {
      6, 7, 8, 9, 255, 0x4000'0000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
  const auto i = SomeTensor(bench);
  if (!i || !bench.Write()) return false;
  const Tensor& tensor = bench.draft.tensors[*i];
  bench.Put(Placement::DimensionCountAt(bench.placement.tensors[*i], tensor),
            bench.random.OneIn(4) ? static_cast<std::uint32_t>(bench.random.Between(6, 0xFFFF'FFFF))
                                  : bench.random.Pick(kCounts));
  return true;
}

// The record is as it would be if the format allowed it; the room comes from what follows it.
bool LieDimensionsWhole(Bench& bench) {
  const auto i = SomeTensor(bench);
  const auto count = static_cast<std::uint32_t>(bench.random.Between(6, 9));
  if (!i || !HasRoom(bench, 8 * std::uint64_t{count}) || !bench.Write()) return false;
  const Tensor& tensor = bench.draft.tensors[*i];
  const std::uint64_t begin = bench.placement.tensors[*i];
  const std::size_t more = count - tensor.dimension_count;
  if (!bench.Insert(Placement::TypeAt(begin, tensor), 8 * more)) return true;
  for (std::size_t k = tensor.dimension_count; k < count; ++k) {
    bench.Put<std::uint64_t>(Placement::DimensionAt(begin, tensor, k), 1);
  }
  bench.Put(Placement::DimensionCountAt(begin, tensor), count);
  return true;
}

// Rows stay whole blocks, which is another rule.
bool LieDimensionNegative(Bench& bench) {
  const auto i = SomeTensor(bench);
  if (!i || !HasRoom(bench, 8)) return false;
  Tensor& tensor = bench.draft.tensors[*i];
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  if (type == nullptr) return false;
  if (tensor.dimension_count == 0) tensor.dimension_count = 1;
  const std::size_t k = bench.random.Below(tensor.dimension_count);
  const std::uint64_t step = k == 0 ? type->block_elements : 1;
  constexpr std::array<std::uint64_t, 4> kSteps = {0, 1, 2, 16};
  switch (bench.random.Below(3)) {
    case 0:
      tensor.dims[k] = kNegative + step * bench.random.Pick(kSteps);
      break;
    case 1:
      tensor.dims[k] = std::uint64_t{0} - step * bench.random.Between(1, 4);
      break;
    default:
      tensor.dims[k] = kNegative | bench.random.Next() / step * step;
  }
  return WriteWithDimension(bench, *i, k);
}

// 2^63 times an even number is 0 modulo 2^64.
bool LieDimensionNegativeWraps(Bench& bench) {
  const auto even = [](const Tensor& tensor) {
    return IsUnruled(tensor) && tensor.dims[0] % 2 == 0 && tensor.dimension_count > 0 &&
           FindTensorType(tensor.type) != nullptr;
  };
  auto i = PickIndex(bench.random, bench.draft.tensors, even);
  if (!i) i = AddTensor(bench, TensorType::kF32, 2 * bench.random.Between(1, 8));
  if (!i || !HasRoom(bench, 32)) return false;
  Tensor& tensor = bench.draft.tensors[*i];
  const std::size_t k = bench.random.Between(1, 3);
  tensor.dimension_count = std::max(tensor.dimension_count, static_cast<std::uint32_t>(k + 1));
  tensor.dims[k] += kNegative;
  return WriteWithDimension(bench, *i, k);
}

bool LieDimensionZero(Bench& bench) {
  const auto i = SomeTensor(bench);
  if (!i || !HasRoom(bench, 32)) return false;
  Tensor& tensor = bench.draft.tensors[*i];
  const std::size_t k = bench.random.Between(1, 3);
  tensor.dimension_count = std::max(tensor.dimension_count, static_cast<std::uint32_t>(k + 1));
  tensor.dims[k] = 0;
  tensor.data = {};
  LayOut(bench.draft);
  return WriteWithDimension(bench, *i, k);
}

bool LieTypeRemoved(Bench& bench) {
  constexpr std::array<std::uint32_t, 8> kRemoved = {4, 5, 31, 32, 33, 36, 37, 38};
  return PutType(bench, bench.random.Pick(kRemoved));
}

bool LieTypeOfFork(Bench& bench) {
  auto type = static_cast<std::uint32_t>(bench.random.Between(97, 399));
  while (FindForeignType(type) == nullptr || FindTensorType(type) != nullptr) {
    type = type < 399 ? type + 1 : 97;
  }
  return PutType(bench, type);
}

bool LieTypeUnknown(Bench& bench) {
  constexpr std::array<std::uint32_t, 9> kUnknown = {
      43, 44, 64, 255, 256, 0x100'0000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
  const auto any = static_cast<std::uint32_t>(bench.random.Next());
  const bool taken = FindTensorType(any) != nullptr || bench.random.OneIn(2);
  return PutType(bench, taken ? bench.random.Pick(kUnknown) : any);
}

bool LieRowBlocks(Bench& bench) {
  const auto i = TensorOfBlocks(bench);
  if (!i || !HasRoom(bench, 0)) return false;
  Tensor& tensor = bench.draft.tensors[*i];
  const std::uint64_t elements = FindTensorType(tensor.type)->block_elements;
  const std::uint64_t part = bench.random.OneIn(2) ? 1 : bench.random.Between(1, elements - 1);
  tensor.dims[0] = bench.random.OneIn(2) ? tensor.dims[0] + part : tensor.dims[0] - part;
  return WriteWithDimension(bench, *i, 0);
}

bool LieRowBlocksScalar(Bench& bench) {
  const auto i = TensorOfBlocks(bench);
  if (!i || !HasRoom(bench, 0)) return false;
  Tensor& tensor = bench.draft.tensors[*i];
  tensor.dimension_count = 0;
  if (bench.Write()) {
    bench.lie_at = Placement::DimensionCountAt(bench.placement.tensors[*i], tensor);
  }
  return true;
}

// The data stay behind as a gap at the end, or go.
bool OddityRowEmpty(Bench& bench) {
  const Table<Tensor>& tensors = bench.draft.tensors;
  if (tensors.empty() || tensors[tensors.size() - 1].dimension_count == 0) return false;
  const std::size_t last = tensors.size() - 1;
  bench.Put<std::uint64_t>(DimensionAt(bench, last, 0), 0);
  if (bench.random.OneIn(2)) (void)bench.Cut(bench.placement.data[last]);
  return true;
}

}  // namespace ggufgate::mutate
