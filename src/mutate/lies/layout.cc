// Lies about offsets, order and padding.

#include <algorithm>
#include <array>
#include <optional>

#include "bytes/checked.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/lies/solver.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

std::uint64_t OffsetAt(const MutationContext& context, std::size_t i) {
  return Placement::OffsetAt(context.placement.tensors[i], context.draft.tensors[i]);
}

std::uint64_t PaddedSize(const MutationContext& context, const Tensor& tensor) {
  const std::uint64_t alignment = std::max<std::uint64_t>(context.draft.alignment, 1);
  return CheckedAlignUp(tensor.data.size(), alignment).value_or(0);
}

bool HasData(const Tensor& tensor) { return !tensor.data.empty(); }

// Pair is two tensors with data, the first before the second.
struct Pair {
  std::size_t first, second;
};

// SomePair returns two neighbours among the tensors with data, and adds them if necessary.
std::optional<Pair> SomePair(MutationContext& context) {
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  auto with_data = static_cast<std::size_t>(std::ranges::count_if(tensors, HasData));
  for (; with_data < 2; ++with_data) {
    if (!InsertTensor(context, TensorType::kF32, context.random.Between(1, 16)))
      return std::nullopt;
  }
  const auto one = PickIndex(context.random, tensors, HasData);
  if (!one) return std::nullopt;
  for (std::size_t i = *one; i > 0; --i) {
    if (HasData(tensors[i - 1])) return Pair{i - 1, *one};
  }
  for (std::size_t i = *one + 1; i < tensors.size(); ++i) {
    if (HasData(tensors[i])) return Pair{*one, i};
  }
  return std::nullopt;
}

}  // namespace

bool LieNoFirstPadding(MutationContext& context) {
  if (!LastTensorWithData(context) || !context.Write()) return false;
  const Placement& placement = context.placement;
  const std::uint64_t padding = placement.data_begin - placement.directory_end;
  if (padding == 0 || !context.Holds(placement.data_begin, 0)) return false;
  const MutableBytes bytes = context.bytes();
  if (placement.data_end > bytes.size()) return false;
  std::ranges::copy(bytes.first(placement.data_end).subspan(placement.data_begin),
                    bytes.subspan(placement.directory_end).begin());
  context.Resize(placement.data_end - padding);
  context.lie_at = placement.directory_end;
  return true;
}

namespace {

// Growth is a dimension with its larger value, and the resulting size in bytes.
struct Growth {
  std::size_t dimension = 1;
  std::uint64_t size = 0;
  std::uint64_t claimed = 0;
};

// GrowthOf claims at least `least` bytes, slightly or much more, and less than 2^60. It returns
// nullopt if the dimensions do not fit the data.
std::optional<Growth> GrowthOf(Random& random, const Tensor& tensor, std::uint64_t least) {
  Growth growth;
  while (growth.dimension < kMaximumDimensions - 1 && tensor.dims[growth.dimension] != 1) {
    ++growth.dimension;
  }
  const std::uint64_t before = tensor.dims[growth.dimension];
  if (before == 0 || tensor.data.size() % before != 0) return std::nullopt;
  const std::uint64_t one = tensor.data.size() / before;
  const std::uint64_t smallest = least / one + 1;
  const std::uint64_t most = (std::uint64_t{1} << random.Between(24, 59)) / one;
  growth.size = random.OneIn(2) || most <= smallest ? smallest : random.Between(smallest, most);
  growth.claimed = one * growth.size;
  return growth;
}

}  // namespace

// The last tensor grows beyond its padding. Another tensor must grow beyond the end of the largest
// file: otherwise bytes of other tensors would count as its data.
bool LieClaimsMore(MutationContext& context) {
  auto i = PickIndex(context.random, context.draft.tensors,
                     [](const Tensor& tensor) { return HasData(tensor) && IsUnruled(tensor); });
  if (!i) i = InsertTensor(context, TensorType::kF32, context.random.Between(1, 16));
  Draft& draft = context.draft;
  if (!i || draft.alignment == 0 || !HasRoom(context, 32)) return false;
  Tensor& tensor = draft.tensors[*i];
  const std::uint64_t padded = PaddedSize(context, tensor);
  const bool last = std::none_of(draft.tensors.begin() + static_cast<std::ptrdiff_t>(*i) + 1,
                                 draft.tensors.end(), HasData);
  const auto growth =
      GrowthOf(context.random, tensor, last ? padded : context.room() + draft.alignment);
  if (!growth) return false;
  tensor.dims[growth->dimension] = growth->size;
  tensor.dimension_count =
      std::max(tensor.dimension_count, static_cast<std::uint32_t>(growth->dimension + 1));
  const std::uint64_t more = CheckedAlignUp(growth->claimed, draft.alignment).value_or(0) - padded;
  for (std::size_t next = *i + 1; next < draft.tensors.size(); ++next) {
    draft.tensors[next].offset += more;
  }
  if (context.Write()) {
    context.lie_at =
        Placement::DimensionAt(context.placement.tensors[*i], tensor, growth->dimension);
  }
  return true;
}

// Multiples of the alignment at which the tensor would end after the file.
bool LieOffsetBeyond(MutationContext& context) {
  const auto i = LastTensorWithData(context);
  if (!i || !context.Write()) return false;
  const Placement& placement = context.placement;
  const std::uint64_t alignment = std::max<std::uint64_t>(context.draft.alignment, 1);
  const std::uint64_t section = placement.size - placement.data_begin;
  const std::uint64_t least = (section / alignment + 1) * alignment;
  const std::uint64_t at = OffsetAt(context, *i);
  std::uint64_t offset = Beyond(context, at, least) / alignment * alignment;
  if (context.random.OneIn(4)) offset = least + context.random.Below(8) * alignment;
  context.Put(at, offset);
  return true;
}

bool LieOffsetNegative(MutationContext& context) {
  const auto i = LastTensorWithData(context);
  if (!i || !context.Write()) return false;
  const std::uint64_t alignment = std::max<std::uint64_t>(context.draft.alignment, 1);
  const std::uint64_t steps = context.placement.data_begin / alignment;
  if (steps == 0) return false;
  context.Put<std::uint64_t>(OffsetAt(context, *i),
                             std::uint64_t{0} - alignment * context.random.Between(1, steps));
  return true;
}

// The last tensor, because room follows it: no overlap, and nothing out of bounds.
bool LieOffsetUneven(MutationContext& context) {
  const auto i = LastTensorWithData(context);
  const std::uint64_t alignment = context.draft.alignment;
  if (!i || alignment < 2 || !HasRoom(context, alignment) || !context.Write()) return false;
  const std::uint64_t end = context.bytes().size();
  if (!context.Insert(end, alignment)) return true;
  std::ranges::fill(context.bytes().subspan(end), std::uint8_t{0});
  const std::uint64_t more = context.random.OneIn(2) ? 1 : context.random.Between(1, alignment - 1);
  context.Put(OffsetAt(context, *i), context.draft.tensors[*i].offset + more);
  return true;
}

// Use the place of the first, so that the second does not end later than before.
bool LieAlias(MutationContext& context) {
  const auto pair = SomePair(context);
  if (!pair || !context.Write()) return false;
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  context.Put(OffsetAt(context, pair->second), tensors[pair->first].offset);
  return true;
}

// A tensor begins at a multiple of the alignment inside an earlier tensor that is longer than one
// alignment.
bool LieOverlap(MutationContext& context) {
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  const std::uint64_t alignment = context.draft.alignment;
  if (alignment == 0 || alignment > 4096) return false;
  auto first = PickIndex(context.random, tensors, [alignment](const Tensor& tensor) {
    return tensor.data.size() > alignment;
  });
  if (!first) first = InsertTensor(context, TensorType::kI8, 2 * alignment + 1);
  if (!first) return false;
  std::size_t second = *first + 1;
  while (second < tensors.size() && !HasData(tensors[second])) ++second;
  if (second >= tensors.size()) {
    const auto added = InsertTensor(context, TensorType::kF32, 4, tensors.size());
    if (!added) return false;
    second = *added;
  }
  if (!context.Write()) return false;
  const std::uint64_t steps = (tensors[*first].data.size() - 1) / alignment;
  context.Put(OffsetAt(context, second),
              tensors[*first].offset + alignment * context.random.Between(1, steps));
  return true;
}

// The data are really there: everything else is correct.
bool LieGap(MutationContext& context) {
  const auto i = LastTensorWithData(context);
  const std::uint64_t most = std::max<std::uint64_t>(context.draft.alignment, 1);
  const std::uint64_t gap = most * context.random.Between(1, 4);
  if (!i || !HasRoom(context, gap) || !context.Write()) return false;
  const std::size_t from = context.random.OneIn(2) ? *i : context.random.Below(*i + 1);
  const std::uint64_t at = context.placement.data[from];
  if (!context.Insert(at, gap)) return true;
  std::ranges::fill(context.bytes().subspan(at, gap), std::uint8_t{0});
  for (std::size_t k = context.draft.tensors.size(); k > from; --k) {
    context.Put(OffsetAt(context, k - 1), context.draft.tensors[k - 1].offset + gap);
  }
  return true;
}

// The two records swap places in the directory; their offsets and data stay.
bool LieSwapped(MutationContext& context) {
  const auto pair = SomePair(context);
  if (!pair || !context.Write()) return false;
  const Placement& placement = context.placement;
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  const std::uint64_t begin = placement.tensors[pair->first];
  const std::uint64_t middle = begin + SizeOf(tensors[pair->first]);
  const std::uint64_t last = placement.tensors[pair->second];
  const std::uint64_t end = last + SizeOf(tensors[pair->second]);
  if (!context.Holds(begin, end - begin)) return false;
  const MutableBytes records = context.bytes().subspan(begin, end - begin);
  // first, those between, second: rotated so that the two swap places.
  std::rotate(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(last - begin),
              records.end());
  const std::size_t second_size = end - last;
  const MutableBytes rest = records.subspan(second_size);
  std::rotate(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(middle - begin), rest.end());
  context.lie_at = begin + second_size - 8;  // the offset of the tensor that is now first
  return true;
}

}  // namespace ggufgate::mutate
