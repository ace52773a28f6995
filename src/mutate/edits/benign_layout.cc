// Unusual layouts that break no rule of severity error.

#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

void FillWithNoise(Random& random, MutableBytes bytes) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.Next());
}

}  // namespace

bool BenignTrailingBytes(MutationContext& context) {
  const std::uint64_t end = context.bytes().size();
  const std::size_t count = context.random.Between(1, 64);
  if (!context.Insert(end, count)) return false;
  FillWithNoise(context.random, context.bytes().subspan(end));
  return true;
}

// Before the data, between two tensors, or after the last.
bool BenignPaddingNotZero(MutationContext& context) {
  const Placement& placement = context.placement;
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  if (tensors.empty()) return false;
  const std::size_t gap = context.random.Below(tensors.size() + 1);
  const std::uint64_t begin =
      gap == 0 ? placement.directory_end : placement.data[gap - 1] + tensors[gap - 1].data.size();
  const std::uint64_t end = gap == tensors.size() ? placement.size : placement.data[gap];
  if (begin >= end || !context.Holds(begin, end - begin)) return false;
  const MutableBytes padding = context.bytes().subspan(begin, end - begin);
  if (context.random.OneIn(2)) {
    FillWithNoise(context.random, padding);
  } else {
    padding[context.random.Below(padding.size())] = 1;
  }
  return true;
}

bool BenignNoLastPadding(MutationContext& context) {
  const Placement& placement = context.placement;
  if (placement.data_end >= placement.size || context.bytes().size() != placement.size)
    return false;
  return context.Cut(context.random.OneIn(2)
                         ? placement.data_end
                         : context.random.Between(placement.data_end, placement.size - 1));
}

bool EditSmallAlignment(MutationContext& context) {
  constexpr std::array<std::uint64_t, 3> kSmall = {1, 2, 4};
  const MutableBytes value = context.arena.Take(4);
  if (value.empty()) return false;
  const auto alignment = static_cast<std::uint32_t>(context.random.Pick(kSmall));
  Writer(value, context.draft.encoding).Put(alignment);
  const Entry entry = EntryOf(kAlignmentKey, ValueType::kU32, value);
  return context.draft.Find(kAlignmentKey) != nullptr
             ? SetEntry(context.draft, entry)
             : InsertAnywhere(context.random, context.draft.entries, entry);
}

}  // namespace ggufgate::mutate
