// Layouts that nobody writes and every rule of severity error lets pass.

#include <array>

#include "mutate/mutations.h"
#include "mutate/parts.h"

namespace ggufgate::mutate {
namespace {

void FillWithNoise(Random& random, MutableBytes bytes) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.Next());
}

}  // namespace

bool OddityTrailingBytes(Bench& bench) {
  const std::uint64_t end = bench.bytes().size();
  const std::size_t count = bench.random.Between(1, 64);
  if (!bench.Insert(end, count)) return false;
  FillWithNoise(bench.random, bench.bytes().subspan(end));
  return true;
}

// Before the data, between two tensors, or behind the last.
bool OddityPaddingNotZero(Bench& bench) {
  const Placement& placement = bench.placement;
  const Table<Tensor>& tensors = bench.draft.tensors;
  if (tensors.empty()) return false;
  const std::size_t gap = bench.random.Below(tensors.size() + 1);
  const std::uint64_t begin =
      gap == 0 ? placement.directory_end : placement.data[gap - 1] + tensors[gap - 1].data.size();
  const std::uint64_t end = gap == tensors.size() ? placement.size : placement.data[gap];
  if (begin >= end || !bench.Holds(begin, end - begin)) return false;
  const MutableBytes padding = bench.bytes().subspan(begin, end - begin);
  if (bench.random.OneIn(2)) {
    FillWithNoise(bench.random, padding);
  } else {
    padding[bench.random.Below(padding.size())] = 1;
  }
  return true;
}

bool OddityNoLastPadding(Bench& bench) {
  const Placement& placement = bench.placement;
  if (placement.data_end >= placement.size || bench.bytes().size() != placement.size) return false;
  return bench.Cut(bench.random.OneIn(2)
                       ? placement.data_end
                       : bench.random.Between(placement.data_end, placement.size - 1));
}

bool EditSmallAlignment(Bench& bench) {
  constexpr std::array<std::uint64_t, 3> kSmall = {1, 2, 4};
  Table<Entry>& entries = bench.draft.entries;
  const MutableBytes value = bench.scratch.Take(4);
  if (value.empty()) return false;
  Store(static_cast<std::uint32_t>(bench.random.Pick(kSmall)), bench.draft.encoding.order, value);
  const Entry entry = {
      .key = kAlignmentKey, .type = static_cast<std::uint32_t>(ValueType::kU32), .value = value};
  if (Entry* const found = bench.draft.Find(kAlignmentKey); found != nullptr) {
    *found = entry;
    return true;
  }
  return entries.Insert(bench.random.Below(entries.size() + 1), entry);
}

}  // namespace ggufgate::mutate
