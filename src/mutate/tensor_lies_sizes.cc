// Lies about the sizes of tensors: products and sums that leave 63 or 64 bits.

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "mutate/attach.h"
#include "mutate/mutations.h"
#include "mutate/parts.h"
#include "mutate/solver.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
constexpr std::uint64_t kMostTotal = kTop - 1 - (std::uint64_t{1} << 32);  // tensor-total-overflow

std::uint64_t ElementsOf(const Tensor& tensor) {
  std::uint64_t product = 1;
  for (const std::uint64_t dim : tensor.dims) product *= dim;
  return product;
}

// Claim gives a tensor dimensions that lie, and writes the file as it was laid out before.
bool Claim(Bench& bench, std::size_t i, const Factors& dims) {
  Tensor& tensor = bench.draft.tensors[i];
  tensor.dims = dims;
  std::uint32_t count = kMaximumDimensions;
  while (count > 1 && dims[count - 1] == 1) --count;
  tensor.dimension_count = count;
  if (bench.Write()) {
    bench.lie_at = Placement::DimensionAt(bench.placement.tensors[i], tensor, 0);
  }
  return true;
}

// TensorToLieAbout is any tensor, with room for four dimensions.
std::optional<std::size_t> TensorToLieAbout(Bench& bench) {
  const auto i = SomeTensor(bench);
  if (!i || !HasRoom(bench, 32) || FindTensorType(bench.draft.tensors[*i].type) == nullptr) {
    return std::nullopt;
  }
  return i;
}

// TensorOf is any tensor whose type `wanted` takes; else one of `type` is added.
template <typename Wanted>
std::optional<std::size_t> TensorOf(Bench& bench, TensorType type, Wanted wanted) {
  auto i = PickIndex(bench.random, bench.draft.tensors, [&](const Tensor& tensor) {
    const TensorTypeInfo* info = FindTensorType(tensor.type);
    return info != nullptr && IsUnruled(tensor) && wanted(*info);
  });
  if (!i) i = AddTensor(bench, type, bench.random.Between(1, 8));
  return i && HasRoom(bench, 32) ? i : std::nullopt;
}

}  // namespace

bool LieElementsWrap(Bench& bench) {
  const auto i = TensorToLieAbout(bench);
  if (!i) return false;
  const Tensor& tensor = bench.draft.tensors[*i];
  const std::uint64_t step = FindTensorType(tensor.type)->block_elements;
  const std::array<std::uint64_t, 4> targets = {ElementsOf(tensor), ElementsOf(tensor), 0,
                                                step * bench.random.Between(1, 64)};
  const std::uint64_t target = bench.random.Pick(targets);
  const auto dims =
      WrappingProduct(bench.random, target, step, bench.random.Between(2, kMaximumDimensions));
  return dims && Claim(bench, *i, *dims);
}

bool LieElementsNegative(Bench& bench) {
  const auto i = TensorToLieAbout(bench);
  if (!i) return false;
  const std::uint64_t step = FindTensorType(bench.draft.tensors[*i].type)->block_elements;
  const std::uint64_t most = bench.random.OneIn(2) ? kTop + (std::uint64_t{1} << 40) : UINT64_MAX;
  const auto dims =
      ProductBetween(bench.random, kTop, most, step, bench.random.Between(2, kMaximumDimensions));
  return dims && Claim(bench, *i, *dims);
}

bool LieElementsSquare(Bench& bench) {
  const auto i = TensorToLieAbout(bench);
  if (!i) return false;
  const std::size_t count = bench.random.Between(2, kMaximumDimensions);
  const std::uint64_t bits = bench.random.Between(63, 64);
  Factors dims = {1, 1, 1, 1, 1};
  std::uint64_t left = bits;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const std::uint64_t some = std::max<std::uint64_t>(bits / count, k == 0 ? 8 : 1);
    dims[k] = std::uint64_t{1} << some;
    left -= some;
  }
  dims[count - 1] = std::uint64_t{1} << left;
  return Claim(bench, *i, dims);
}

bool LieRowWraps(Bench& bench) {
  const auto i = TensorOf(bench, TensorType::kQ4_0,
                          [](const TensorTypeInfo& type) { return type.block_bytes > 2; });
  if (!i) return false;
  const Tensor& tensor = bench.draft.tensors[*i];
  const TensorTypeInfo& type = *FindTensorType(tensor.type);
  const std::uint64_t row = tensor.dims[0] / type.block_elements * type.block_bytes;
  const std::uint64_t unit = type.block_bytes & (0 - type.block_bytes);
  const std::array<std::uint64_t, 4> targets = {row, row, unit, unit * bench.random.Below(64)};
  std::optional<std::uint64_t> length;
  for (int tries = 0; tries < 8 && !length; ++tries) {
    const std::uint64_t target =
        tries == 0 ? bench.random.Pick(targets) : unit * bench.random.Below(1024);
    length = WrappingRow(bench.random, type.block_elements, type.block_bytes, target);
  }
  if (!length) return false;
  // The other dimensions have to leave the number of elements in 63 bits.
  return Claim(bench, *i, {*length, 1, 1, 1});
}

// rows times bytes of a row wrap, where an element takes more than a byte.
bool LieBytesWrap(Bench& bench) {
  const auto i = TensorOf(bench, TensorType::kF32, [](const TensorTypeInfo& type) {
    return type.block_bytes > type.block_elements;
  });
  if (!i) return false;
  const Tensor& tensor = bench.draft.tensors[*i];
  const TensorTypeInfo& type = *FindTensorType(tensor.type);
  const std::uint64_t row = type.block_bytes * bench.random.Between(1, 8);
  const std::uint64_t elements = row / type.block_bytes * type.block_elements;
  // Rows whose bytes are 2^63 or more, and whose elements are not.
  const std::uint64_t least = (kTop - 1) / row + 1;
  const std::uint64_t most = (kTop - 1) / elements;
  if (least > most) return false;
  std::uint64_t rows = bench.random.Between(least, most);
  const auto wrapped = WrappingFactor(bench.random, row, tensor.data.size());
  if (wrapped && *wrapped >= least && *wrapped <= most) rows = *wrapped;
  Factors dims = {elements, rows, 1, 1, 1};
  if (rows % 2 == 0 && bench.random.OneIn(2)) dims = {elements, 2, rows / 2, 1, 1};
  return Claim(bench, *i, dims);
}

namespace {

// ClaimSize gives tensor `i`, of a type whose elements are `step` bytes, a number of bytes.
bool ClaimSize(Bench& bench, std::size_t i, std::uint64_t step, std::uint64_t size) {
  const std::uint64_t elements = size / step;
  Factors dims = {elements, 1, 1, 1, 1};
  for (const std::uint64_t factor : std::array<std::uint64_t, 4>{3, 5, 7, 13}) {
    if (elements % factor == 0 && bench.random.OneIn(2))
      dims = {elements / factor, factor, 1, 1, 1};
  }
  return Claim(bench, i, dims);
}

bool IsPlain(const TensorTypeInfo& type) { return type.block_elements == 1; }

}  // namespace

bool LiePaddingWraps(Bench& bench) {
  const std::uint64_t alignment = bench.draft.alignment;
  const auto i = TensorOf(bench, TensorType::kF32, [alignment](const TensorTypeInfo& type) {
    return IsPlain(type) && type.block_bytes < alignment;
  });
  if (!i) return false;
  const std::uint64_t step = FindTensorType(bench.draft.tensors[*i].type)->block_bytes;
  const auto size = SizeThatPadsOver(bench.random, alignment, step, 63);
  return size && ClaimSize(bench, *i, step, *size);
}

bool LieBytesPadToZero(Bench& bench) {
  const std::uint64_t alignment = bench.draft.alignment;
  const auto i = TensorOf(bench, TensorType::kF32, [alignment](const TensorTypeInfo& type) {
    return IsPlain(type) && type.block_bytes > 1 && type.block_bytes < alignment;
  });
  if (!i) return false;
  const std::uint64_t step = FindTensorType(bench.draft.tensors[*i].type)->block_bytes;
  if (step < 2) return false;  // as many elements are another rule
  const auto size = SizeThatPadsOver(bench.random, alignment, step, 64);
  return size && ClaimSize(bench, *i, step, *size);
}

namespace {

// AddClaims puts tensors of bytes, of these sizes, behind all others, with the offsets that a
// writer would give them who does not notice that they wrap. They have no data.
bool AddClaims(Bench& bench, std::span<const std::uint64_t> sizes, std::uint64_t offset) {
  ForgetTensorCount(bench.draft);
  Table<Tensor>& tensors = bench.draft.tensors;
  const std::size_t before = tensors.size();
  std::size_t first_beyond = before;
  bool beyond = false;  // the sum is too large from here on, though it may wrap
  for (const std::uint64_t size : sizes) {
    const std::string_view name = FreshName(bench);
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
    beyond = beyond || offset > kMostTotal;
    if (!beyond) first_beyond = tensors.size();
  }
  if (bench.Write()) {
    bench.lie_at =
        Placement::DimensionAt(bench.placement.tensors[first_beyond], tensors[first_beyond], 0);
  }
  return true;
}

// RoomForClaims tells whether so many tensors can be added, and how much room those before take.
std::optional<std::uint64_t> RoomForClaims(Bench& bench, std::size_t count) {
  constexpr std::uint64_t kRecord = 64;
  const Draft& draft = bench.draft;
  if (draft.tensors.size() + count > Draft::kMostTensors || draft.alignment == 0 ||
      !HasRoom(bench, count * kRecord + draft.alignment) ||
      bench.scratch.Left() < count * kRecord) {
    return std::nullopt;
  }
  std::uint64_t end = 0;
  for (const Tensor& tensor : draft.tensors) {
    end += (tensor.data.size() + draft.alignment - 1) / draft.alignment * draft.alignment;
  }
  return end;
}

}  // namespace

bool LieTotalWraps(Bench& bench) {
  std::array<std::uint64_t, 6> sizes{};
  const std::span<std::uint64_t> some = std::span(sizes).first(bench.random.Between(3, 6));
  const auto end = RoomForClaims(bench, some.size());
  if (!end) return false;
  const std::uint64_t unit = bench.draft.alignment;
  FillWithWrappingSum(bench.random, *end, *end + unit * bench.random.Below(4), unit, some);
  return AddClaims(bench, some, *end);
}

// From the first sum that is too large to just past 2^63. Each tensor by itself is in bounds.
bool LieTotalBeyond(Bench& bench) {
  std::array<std::uint64_t, 5> sizes{};
  const std::span<std::uint64_t> some = std::span(sizes).first(bench.random.Between(1, 5));
  const auto end = RoomForClaims(bench, some.size());
  if (!end) return false;
  const std::uint64_t unit = bench.draft.alignment;
  const std::uint64_t least = kMostTotal / unit * unit + unit - *end;
  const std::uint64_t more = std::uint64_t{1} << (some.size() == 1 ? 31 : 33);
  const std::uint64_t sum =
      least + (bench.random.OneIn(4) ? 0 : bench.random.Below(more / unit) * unit);
  some.front() = some.size() == 1 ? sum : sum / 2 / unit * unit;
  if (some.size() > 1) FillWithSum(bench.random, sum - some.front(), unit, some.subspan(1));
  return AddClaims(bench, some, *end);
}

}  // namespace ggufgate::mutate
