// Lies about the sizes of tensors: products and sums that exceed 63 or 64 bits.

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "format/loader_limits.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/file/attach.h"
#include "mutate/lies/solver.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kTop = kMaximumSize + 1;

std::uint64_t ElementCount(const Tensor& tensor) {
  std::uint64_t product = 1;
  for (const std::uint64_t dim : tensor.dims) product *= dim;
  return product;
}

// Claim sets false dimensions of a tensor, and writes the file with the layout of before.
bool Claim(MutationContext& context, std::size_t i, const Factors& dims) {
  Tensor& tensor = context.draft.tensors[i];
  tensor.dims = dims;
  std::uint32_t count = kMaximumDimensions;
  while (count > 1 && dims[count - 1] == 1) --count;
  tensor.dimension_count = count;
  if (context.Write()) {
    context.lie_at = Placement::DimensionAt(context.placement.tensors[i], tensor, 0);
  }
  return true;
}

// TensorToLieAbout returns a tensor with room for four dimensions.
std::optional<std::size_t> TensorToLieAbout(MutationContext& context) {
  const auto i = SomeTensor(context);
  if (!i || !HasRoom(context, 32) || FindTensorType(context.draft.tensors[*i].type) == nullptr) {
    return std::nullopt;
  }
  return i;
}

// TensorOf returns a tensor whose type `wanted` accepts, or adds one of `type`.
template <typename Wanted>
std::optional<std::size_t> TensorOf(MutationContext& context, TensorType type, Wanted wanted) {
  auto i = PickIndex(context.random, context.draft.tensors, [&](const Tensor& tensor) {
    const TensorTypeInfo* info = FindTensorType(tensor.type);
    return info != nullptr && IsUnruled(tensor) && wanted(*info);
  });
  if (!i) i = InsertTensor(context, type, context.random.Between(1, 8));
  return i && HasRoom(context, 32) ? i : std::nullopt;
}

}  // namespace

bool LieElementsWrap(MutationContext& context) {
  const auto i = TensorToLieAbout(context);
  if (!i) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const std::uint64_t step = FindTensorType(tensor.type)->block_elements;
  const std::array<std::uint64_t, 4> targets = {ElementCount(tensor), ElementCount(tensor), 0,
                                                step * context.random.Between(1, 64)};
  const std::uint64_t target = context.random.Pick(targets);
  const auto dims =
      WrappingProduct(context.random, target, step, context.random.Between(2, kMaximumDimensions));
  return dims && Claim(context, *i, *dims);
}

bool LieElementsNegative(MutationContext& context) {
  const auto i = TensorToLieAbout(context);
  if (!i) return false;
  const std::uint64_t step = FindTensorType(context.draft.tensors[*i].type)->block_elements;
  const std::uint64_t most = context.random.OneIn(2) ? kTop + (std::uint64_t{1} << 40) : UINT64_MAX;
  const auto dims = ProductBetween(context.random, kTop, most, step,
                                   context.random.Between(2, kMaximumDimensions));
  return dims && Claim(context, *i, *dims);
}

bool LieElementsSquare(MutationContext& context) {
  const auto i = TensorToLieAbout(context);
  if (!i) return false;
  const std::size_t count = context.random.Between(2, kMaximumDimensions);
  const std::uint64_t bits = context.random.Between(kSignedBits, kSignedBits + 1);
  Factors dims = {1, 1, 1, 1, 1};
  std::uint64_t left = bits;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const std::uint64_t some = std::max<std::uint64_t>(bits / count, k == 0 ? 8 : 1);
    dims[k] = std::uint64_t{1} << some;
    left -= some;
  }
  dims[count - 1] = std::uint64_t{1} << left;
  return Claim(context, *i, dims);
}

bool LieRowWraps(MutationContext& context) {
  const auto i = TensorOf(context, TensorType::kQ4_0,
                          [](const TensorTypeInfo& type) { return type.block_bytes > 2; });
  if (!i) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const TensorTypeInfo& type = *FindTensorType(tensor.type);
  const std::uint64_t row = tensor.dims[0] / type.block_elements * type.block_bytes;
  const std::uint64_t unit = type.block_bytes & (0 - type.block_bytes);
  const std::array<std::uint64_t, 4> targets = {row, row, unit, unit * context.random.Below(64)};
  std::optional<std::uint64_t> length;
  for (int tries = 0; tries < 8 && !length; ++tries) {
    const std::uint64_t target =
        tries == 0 ? context.random.Pick(targets) : unit * context.random.Below(1024);
    length = WrappingRow(context.random, type.block_elements, type.block_bytes, target);
  }
  if (!length) return false;
  // With these dimensions the number of elements fits into 63 bits.
  return Claim(context, *i, {*length, 1, 1, 1});
}

// Rows times row size overflows if an element has more than one byte.
bool LieBytesWrap(MutationContext& context) {
  const auto i = TensorOf(context, TensorType::kF32, [](const TensorTypeInfo& type) {
    return type.block_bytes > type.block_elements;
  });
  if (!i) return false;
  const Tensor& tensor = context.draft.tensors[*i];
  const TensorTypeInfo& type = *FindTensorType(tensor.type);
  const std::uint64_t row = type.block_bytes * context.random.Between(1, 8);
  const std::uint64_t elements = row / type.block_bytes * type.block_elements;
  // Rows with at least 2^63 bytes, but fewer elements.
  const std::uint64_t least = (kTop - 1) / row + 1;
  const std::uint64_t most = (kTop - 1) / elements;
  if (least > most) return false;
  std::uint64_t rows = context.random.Between(least, most);
  const auto wrapped = WrappingFactor(context.random, row, tensor.data.size());
  if (wrapped && *wrapped >= least && *wrapped <= most) rows = *wrapped;
  Factors dims = {elements, rows, 1, 1, 1};
  if (rows % 2 == 0 && context.random.OneIn(2)) dims = {elements, 2, rows / 2, 1, 1};
  return Claim(context, *i, dims);
}

namespace {

// ClaimSize gives tensor `i` a size in bytes; its type has elements of `step` bytes.
bool ClaimSize(MutationContext& context, std::size_t i, std::uint64_t step, std::uint64_t size) {
  const std::uint64_t elements = size / step;
  Factors dims = {elements, 1, 1, 1, 1};
  for (const std::uint64_t factor : std::array<std::uint64_t, 4>{3, 5, 7, 13}) {
    if (elements % factor == 0 && context.random.OneIn(2))
      dims = {elements / factor, factor, 1, 1, 1};
  }
  return Claim(context, i, dims);
}

bool IsPlain(const TensorTypeInfo& type) { return type.block_elements == 1; }

}  // namespace

bool LiePaddingWraps(MutationContext& context) {
  const std::uint64_t alignment = context.draft.alignment;
  const auto i = TensorOf(context, TensorType::kF32, [alignment](const TensorTypeInfo& type) {
    return IsPlain(type) && type.block_bytes < alignment;
  });
  if (!i) return false;
  const std::uint64_t step = FindTensorType(context.draft.tensors[*i].type)->block_bytes;
  const auto size = SizeThatPadsOver(context.random, alignment, step, kSignedBits);
  return size && ClaimSize(context, *i, step, *size);
}

bool LieBytesPadToZero(MutationContext& context) {
  const std::uint64_t alignment = context.draft.alignment;
  const auto i = TensorOf(context, TensorType::kF32, [alignment](const TensorTypeInfo& type) {
    return IsPlain(type) && type.block_bytes > 1 && type.block_bytes < alignment;
  });
  if (!i) return false;
  const std::uint64_t step = FindTensorType(context.draft.tensors[*i].type)->block_bytes;
  if (step < 2) return false;  // otherwise another rule reports the elements
  const auto size = SizeThatPadsOver(context.random, alignment, step, 64);
  return size && ClaimSize(context, *i, step, *size);
}

namespace {

// AddClaims appends tensors of bytes with these sizes, without data. Their offsets are those of a
// writer that ignores overflow.
bool AddClaims(MutationContext& context, std::span<const std::uint64_t> sizes,
               std::uint64_t offset) {
  DropKey(context.draft, kTensorCountKey);
  FixedVector<Tensor>& tensors = context.draft.tensors;
  const std::size_t before = tensors.size();
  std::size_t first_beyond = before;
  bool beyond = false;  // the true sum is too large from here on, even if it wrapped
  for (const std::uint64_t size : sizes) {
    const std::string_view name = FreshName(context);
    if (name.empty()) {
      tensors.Cut(before);
      return false;
    }
    tensors.Add({.name = name,
                 .dimension_count = 1,
                 .dims = {size, 1, 1, 1, 1},
                 .type = static_cast<std::uint32_t>(TensorType::kI8),
                 .offset = offset});
    offset += size;
    beyond = beyond || offset > kMaximumTotal;
    if (!beyond) first_beyond = tensors.size();
  }
  if (context.Write()) {
    context.lie_at =
        Placement::DimensionAt(context.placement.tensors[first_beyond], tensors[first_beyond], 0);
  }
  return true;
}

// RoomForClaims returns the size of the tensors before, or nullopt if `count` more do not fit.
std::optional<std::uint64_t> RoomForClaims(MutationContext& context, std::size_t count) {
  constexpr std::uint64_t kRecord = 64;
  const Draft& draft = context.draft;
  if (draft.tensors.size() + count > Draft::kMostTensors || draft.alignment == 0 ||
      !HasRoom(context, count * kRecord + draft.alignment) ||
      context.arena.Left() < count * kRecord) {
    return std::nullopt;
  }
  std::uint64_t end = 0;
  for (const Tensor& tensor : draft.tensors) {
    end += (tensor.data.size() + draft.alignment - 1) / draft.alignment * draft.alignment;
  }
  return end;
}

}  // namespace

bool LieTotalWraps(MutationContext& context) {
  std::array<std::uint64_t, 6> sizes{};
  const std::span<std::uint64_t> some = std::span(sizes).first(context.random.Between(3, 6));
  const auto end = RoomForClaims(context, some.size());
  if (!end) return false;
  const std::uint64_t unit = context.draft.alignment;
  FillWithWrappingSum(context.random, *end, *end + unit * context.random.Below(4), unit, some);
  return AddClaims(context, some, *end);
}

// From the smallest sum that is too large to just above 2^63. Each tensor alone is within bounds.
bool LieTotalBeyond(MutationContext& context) {
  std::array<std::uint64_t, 5> sizes{};
  const std::span<std::uint64_t> some = std::span(sizes).first(context.random.Between(1, 5));
  const auto end = RoomForClaims(context, some.size());
  if (!end) return false;
  const std::uint64_t unit = context.draft.alignment;
  const std::uint64_t least = kMaximumTotal / unit * unit + unit - *end;
  const std::uint64_t more = std::uint64_t{1} << (some.size() == 1 ? 31 : 33);
  const std::uint64_t sum =
      least + (context.random.OneIn(4) ? 0 : context.random.Below(more / unit) * unit);
  some.front() = some.size() == 1 ? sum : sum / 2 / unit * unit;
  if (some.size() > 1) FillWithSum(context.random, sum - some.front(), unit, some.subspan(1));
  return AddClaims(context, some, *end);
}

}  // namespace ggufgate::mutate
