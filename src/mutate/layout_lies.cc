// Lies about offsets, order and padding.

#include <algorithm>
#include <array>
#include <optional>

#include "bytes/checked.h"
#include "mutate/mutations.h"
#include "mutate/parts.h"
#include "mutate/solver.h"

namespace ggufgate::mutate {
namespace {

std::uint64_t OffsetAt(const Bench& bench, std::size_t i) {
  return Placement::OffsetAt(bench.placement.tensors[i], bench.draft.tensors[i]);
}

std::uint64_t PaddedSize(const Bench& bench, const Tensor& tensor) {
  const std::uint64_t alignment = std::max<std::uint64_t>(bench.draft.alignment, 1);
  return CheckedAlignUp(tensor.data.size(), alignment).value_or(0);
}

bool HasData(const Tensor& tensor) { return !tensor.data.empty(); }

// Pair is two tensors with data, the first before the second.
struct Pair {
  std::size_t first, second;
};

// SomePair is any two neighbours among the tensors with data, added where there are none.
std::optional<Pair> SomePair(Bench& bench) {
  const Table<Tensor>& tensors = bench.draft.tensors;
  auto with_data = static_cast<std::size_t>(std::ranges::count_if(tensors, HasData));
  for (; with_data < 2; ++with_data) {
    if (!AddTensor(bench, TensorType::kF32, bench.random.Between(1, 16))) return std::nullopt;
  }
  const auto one = PickIndex(bench.random, tensors, HasData);
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

bool LieNoFirstPadding(Bench& bench) {
  if (!LastTensorWithData(bench) || !bench.Write()) return false;
  const Placement& placement = bench.placement;
  const std::uint64_t padding = placement.data_begin - placement.directory_end;
  if (padding == 0 || !bench.Holds(placement.data_begin, 0)) return false;
  const MutableBytes bytes = bench.bytes();
  if (placement.data_end > bytes.size()) return false;
  std::ranges::copy(bytes.first(placement.data_end).subspan(placement.data_begin),
                    bytes.subspan(placement.directory_end).begin());
  bench.Resize(placement.data_end - padding);
  bench.lie_at = placement.directory_end;
  return true;
}

namespace {

// Growth is a dimension that becomes larger, and the bytes that the tensor then claims.
struct Growth {
  std::size_t dimension = 1;
  std::uint64_t size = 0;
  std::uint64_t claimed = 0;
};

// GrowthOf claims `least` bytes or more, by little or by much, and less than 2^60. Nothing where
// the dimensions are not those of the data.
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

// The last tensor grows past its padding. One before it has to grow past the end of any file that
// there is room for: it would be judged by bytes of others.
bool LieClaimsMore(Bench& bench) {
  auto i = PickIndex(bench.random, bench.draft.tensors,
                     [](const Tensor& tensor) { return HasData(tensor) && IsUnruled(tensor); });
  if (!i) i = AddTensor(bench, TensorType::kF32, bench.random.Between(1, 16));
  Draft& draft = bench.draft;
  if (!i || draft.alignment == 0 || !HasRoom(bench, 32)) return false;
  Tensor& tensor = draft.tensors[*i];
  const std::uint64_t padded = PaddedSize(bench, tensor);
  const bool last = std::none_of(draft.tensors.begin() + static_cast<std::ptrdiff_t>(*i) + 1,
                                 draft.tensors.end(), HasData);
  const auto growth =
      GrowthOf(bench.random, tensor, last ? padded : bench.room() + draft.alignment);
  if (!growth) return false;
  tensor.dims[growth->dimension] = growth->size;
  tensor.dimension_count =
      std::max(tensor.dimension_count, static_cast<std::uint32_t>(growth->dimension + 1));
  const std::uint64_t more = CheckedAlignUp(growth->claimed, draft.alignment).value_or(0) - padded;
  for (std::size_t next = *i + 1; next < draft.tensors.size(); ++next) {
    draft.tensors[next].offset += more;
  }
  if (bench.Write()) {
    bench.lie_at = Placement::DimensionAt(bench.placement.tensors[*i], tensor, growth->dimension);
  }
  return true;
}

// Multiples of the alignment, at which the tensor would end past the end of the file.
bool LieOffsetBeyond(Bench& bench) {
  const auto i = LastTensorWithData(bench);
  if (!i || !bench.Write()) return false;
  const Placement& placement = bench.placement;
  const std::uint64_t alignment = std::max<std::uint64_t>(bench.draft.alignment, 1);
  const std::uint64_t section = placement.size - placement.data_begin;
  const std::uint64_t least = (section / alignment + 1) * alignment;
  std::uint64_t offset = NumberBeyond(bench.random, least) / alignment * alignment;
  if (bench.random.OneIn(4)) offset = least + bench.random.Below(8) * alignment;
  bench.Put<std::uint64_t>(OffsetAt(bench, *i), offset);
  return true;
}

bool LieOffsetNegative(Bench& bench) {
  const auto i = LastTensorWithData(bench);
  if (!i || !bench.Write()) return false;
  const std::uint64_t alignment = std::max<std::uint64_t>(bench.draft.alignment, 1);
  const std::uint64_t steps = bench.placement.data_begin / alignment;
  if (steps == 0) return false;
  bench.Put<std::uint64_t>(OffsetAt(bench, *i),
                           std::uint64_t{0} - alignment * bench.random.Between(1, steps));
  return true;
}

// Of the last tensor, behind which there is room: nothing overlaps, nothing is out of bounds.
bool LieOffsetUneven(Bench& bench) {
  const auto i = LastTensorWithData(bench);
  const std::uint64_t alignment = bench.draft.alignment;
  if (!i || alignment < 2 || !HasRoom(bench, alignment) || !bench.Write()) return false;
  const std::uint64_t end = bench.bytes().size();
  if (!bench.Insert(end, alignment)) return true;
  std::ranges::fill(bench.bytes().subspan(end), std::uint8_t{0});
  const std::uint64_t more = bench.random.OneIn(2) ? 1 : bench.random.Between(1, alignment - 1);
  bench.Put(OffsetAt(bench, *i), bench.draft.tensors[*i].offset + more);
  return true;
}

// The place of the first, so that the second ends no later than before.
bool LieAlias(Bench& bench) {
  const auto pair = SomePair(bench);
  if (!pair || !bench.Write()) return false;
  const Table<Tensor>& tensors = bench.draft.tensors;
  bench.Put(OffsetAt(bench, pair->second), tensors[pair->first].offset);
  return true;
}

// A tensor begins at a multiple of the alignment inside another that stands before it and is longer
// than one alignment.
bool LieOverlap(Bench& bench) {
  const Table<Tensor>& tensors = bench.draft.tensors;
  const std::uint64_t alignment = bench.draft.alignment;
  if (alignment == 0 || alignment > 4096) return false;
  auto first = PickIndex(bench.random, tensors, [alignment](const Tensor& tensor) {
    return tensor.data.size() > alignment;
  });
  if (!first) first = AddTensor(bench, TensorType::kI8, 2 * alignment + 1);
  if (!first) return false;
  std::size_t second = *first + 1;
  while (second < tensors.size() && !HasData(tensors[second])) ++second;
  if (second >= tensors.size()) {
    const auto added = AddTensor(bench, TensorType::kF32, 4, tensors.size());
    if (!added) return false;
    second = *added;
  }
  if (!bench.Write()) return false;
  const std::uint64_t steps = (tensors[*first].data.size() - 1) / alignment;
  bench.Put(OffsetAt(bench, second),
            tensors[*first].offset + alignment * bench.random.Between(1, steps));
  return true;
}

// The data really lie there: everything else is as it should be.
bool LieGap(Bench& bench) {
  const auto i = LastTensorWithData(bench);
  const std::uint64_t most = std::max<std::uint64_t>(bench.draft.alignment, 1);
  const std::uint64_t gap = most * bench.random.Between(1, 4);
  if (!i || !HasRoom(bench, gap) || !bench.Write()) return false;
  const std::size_t from = bench.random.OneIn(2) ? *i : bench.random.Below(*i + 1);
  const std::uint64_t at = bench.placement.data[from];
  if (!bench.Insert(at, gap)) return true;
  std::ranges::fill(bench.bytes().subspan(at, gap), std::uint8_t{0});
  for (std::size_t k = bench.draft.tensors.size(); k > from; --k) {
    bench.Put(OffsetAt(bench, k - 1), bench.draft.tensors[k - 1].offset + gap);
  }
  return true;
}

// The two records change places in the directory, their offsets and data stay.
bool LieSwapped(Bench& bench) {
  const auto pair = SomePair(bench);
  if (!pair || !bench.Write()) return false;
  const Placement& placement = bench.placement;
  const Table<Tensor>& tensors = bench.draft.tensors;
  const std::uint64_t begin = placement.tensors[pair->first];
  const std::uint64_t middle = begin + SizeOf(tensors[pair->first]);
  const std::uint64_t last = placement.tensors[pair->second];
  const std::uint64_t end = last + SizeOf(tensors[pair->second]);
  if (!bench.Holds(begin, end - begin)) return false;
  const MutableBytes records = bench.bytes().subspan(begin, end - begin);
  // first, those between, second: turned around so that the two change places.
  std::rotate(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(last - begin),
              records.end());
  const std::size_t second_size = end - last;
  const MutableBytes rest = records.subspan(second_size);
  std::rotate(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(middle - begin), rest.end());
  bench.lie_at = begin + second_size - 8;  // the offset of what is first now
  return true;
}

}  // namespace ggufgate::mutate
