// Lies about keys, and about the alignment key, which determines the layout.

#include <algorithm>
#include <array>
#include <bit>

#include "format/limits.h"
#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kLongestKey = Limits{}.key_bytes;
constexpr std::uint64_t kLargestAlignment = Limits{}.alignment;
constexpr auto kU32 = IdOf(ValueType::kU32);

// SetAlignment sets the value of `general.alignment`, and adds the key if it is absent.
std::optional<std::size_t> SetAlignment(MutationContext& context, ValueType type, Bytes value) {
  if (value.empty() || !HasRoom(context, kAlignmentKey.size() + 12 + value.size())) {
    return std::nullopt;
  }
  FixedVector<Entry>& entries = context.draft.entries;
  const Entry entry = EntryOf(kAlignmentKey, type, value);
  const auto found = std::ranges::find(entries, kAlignmentKey, &Entry::key);
  if (found == entries.end())
    return InsertEntry(context, entry, context.random.Below(entries.size() + 1));
  *found = entry;
  return static_cast<std::size_t>(found - entries.begin());
}

// TellAlignment sets a u32 alignment, and writes the file.
bool TellAlignment(MutationContext& context, std::uint64_t number) {
  const auto i = SetAlignment(context, ValueType::kU32, NumberValue(context.arena, number, 4));
  if (!i) return false;
  if (context.Write()) {
    context.lie_at = Placement::ValueAt(context.placement.entries[*i], context.draft.entries[*i]);
  }
  return true;
}

// With tensors, no file of reasonable size can satisfy such an alignment. Without tensors, it is
// the only fault.
void DropTensorsAtTimes(MutationContext& context) {
  if (context.written() || context.random.OneIn(2)) return;
  DropKey(context.draft, kTensorCountKey);
  context.draft.tensors.Clear();
}

// AddTwice adds a second record of a key, directly after the first or at a random place after it.
// Readers that use the first see no change.
bool AddTwice(MutationContext& context, std::size_t first, const Entry& second) {
  const std::size_t at = context.random.OneIn(2)
                             ? first + 1
                             : context.random.Between(first + 1, context.draft.entries.size());
  if (!InsertEntry(context, second, at)) return false;
  if (context.Write()) context.lie_at = context.placement.entries[at] + 8;
  return true;
}

}  // namespace

bool LieKeyEmpty(MutationContext& context) {
  const auto i =
      InsertValue(context, ValueType::kString, DrawString(context, context.random.Below(20)));
  if (!i) return false;
  context.draft.entries[*i].key = {};
  if (context.Write()) context.lie_at = context.placement.entries[*i];
  return true;
}

bool LieKeyTooLong(MutationContext& context) {
  const std::size_t size =
      kLongestKey + 1 + (context.random.OneIn(2) ? 0 : context.random.Below(64));
  if (context.draft.entries.Full() || !HasRoom(context, size + 64)) return false;
  const std::string_view key = FreshName(context, size);
  const Bytes value = NumberValue(context.arena, context.random.Next(), 4);
  if (key.empty() || value.empty()) return false;
  const auto i = InsertEntry(context, {.key = key, .type = kU32, .value = value},
                             context.random.Below(context.draft.entries.size() + 1));
  if (!i) return false;
  if (context.Write()) context.lie_at = context.placement.entries[*i];
  return true;
}

bool LieKeyTwice(MutationContext& context) {
  const auto i = SomeEntry(context);
  if (!i) return false;
  const Entry copy = context.draft.entries[*i];
  return AddTwice(context, *i, copy);
}

// An unknown key: for a known key, the second type might be another error.
bool LieKeyTwiceTyped(MutationContext& context) {
  const Bytes number = NumberValue(context.arena, context.random.Next(), 8);
  const Bytes text = DrawString(context, context.random.Below(20));
  const std::uint64_t room = 128;
  if (number.empty() || text.empty() || !HasRoom(context, room)) return false;
  if (context.draft.entries.size() + 2 > Draft::kMostEntries) return false;
  const auto i = InsertValue(context, ValueType::kString, text);
  if (!i) return false;
  constexpr std::array kTypes = {ValueType::kU64, ValueType::kI64, ValueType::kF64};
  return AddTwice(context, *i,
                  {.key = context.draft.entries[*i].key,
                   .type = static_cast<std::uint32_t>(context.random.Pick(kTypes)),
                   .value = number});
}

bool LieAlignmentTwice(MutationContext& context) {
  const std::uint64_t alignment = context.draft.alignment;
  if (context.draft.entries.size() + 2 > Draft::kMostEntries || !HasRoom(context, 128))
    return false;
  const Bytes first = NumberValue(context.arena, alignment, 4);
  const Bytes second = NumberValue(context.arena, alignment << context.random.Between(1, 4), 4);
  if (first.empty() || second.empty()) return false;
  const auto i = SetAlignment(context, ValueType::kU32, first);
  return i && AddTwice(context, *i, {.key = kAlignmentKey, .type = kU32, .value = second});
}

bool LieAlignmentType(MutationContext& context) {
  constexpr std::array kTypes = {ValueType::kU64,    ValueType::kI32,  ValueType::kU8,
                                 ValueType::kU16,    ValueType::kI64,  ValueType::kF32,
                                 ValueType::kString, ValueType::kBool, ValueType::kArray};
  const ValueType type = context.random.Pick(kTypes);
  const Bytes value =
      type == ValueType::kString  ? DrawString(context, 2)
      : type == ValueType::kArray ? PlainArrayValue(context.arena, ValueType::kU32, 1)
      : type == ValueType::kBool
          ? NumberValue(context.arena, 1, 1)
          : NumberValue(context.arena, context.draft.alignment, InfoOf(type).scalar_bytes);
  const auto i = SetAlignment(context, type, value);
  if (!i) return false;
  if (context.Write()) {
    context.lie_at = Placement::TypeAt(context.placement.entries[*i], context.draft.entries[*i]);
  }
  return true;
}

bool LieAlignmentZero(MutationContext& context) { return TellAlignment(context, 0); }

// The layout uses this alignment, so it is the only fault.
bool LieAlignmentUneven(MutationContext& context) {
  constexpr std::array<std::uint64_t, 12> kUneven = {3, 5, 6, 7, 12, 13, 24, 31, 33, 40, 48, 4095};
  const std::uint64_t before = context.draft.alignment;
  const std::uint64_t alignment = context.random.OneIn(4) ? context.random.Between(1, 500) * 2 + 1
                                                          : context.random.Pick(kUneven);
  if (!HasRoom(context, 64 + alignment * (context.draft.tensors.size() + 1))) return false;
  context.draft.alignment = alignment;
  LayOut(context.draft);
  if (TellAlignment(context, alignment)) return true;
  context.draft.alignment = before;
  LayOut(context.draft);
  return false;
}

bool LieAlignmentUnevenHuge(MutationContext& context) {
  constexpr std::array<std::uint64_t, 6> kHuge = {0x8000'0001, 0xFFFF'FFFF, 0x7FFF'FFFF,
                                                  0xFFFF'FFE0, 0x0010'0001, 0xC000'0000};
  DropTensorsAtTimes(context);
  return TellAlignment(context, context.random.Pick(kHuge));
}

bool LieAlignmentLarge(MutationContext& context) {
  DropTensorsAtTimes(context);
  return TellAlignment(context, kLargestAlignment << context.random.Between(1, 11));
}

// The new alignment does not divide some offset.
bool LieAlignmentDisagrees(MutationContext& context) {
  const auto stands_apart = [](const Tensor& tensor) {
    return tensor.offset != 0 &&
           std::uint64_t{1} << std::countr_zero(tensor.offset) < kLargestAlignment;
  };
  auto i = PickIndex(context.random, context.draft.tensors, stands_apart);
  if (!i && InsertTensor(context, TensorType::kF32, 1) &&
      InsertTensor(context, TensorType::kF32, 1)) {
    i = PickIndex(context.random, context.draft.tensors, stands_apart);
  }
  if (!i) return false;
  const auto twos = static_cast<unsigned>(std::countr_zero(context.draft.tensors[*i].offset));
  return TellAlignment(context, std::uint64_t{1} << context.random.Between(twos + 1, 20));
}

}  // namespace ggufgate::mutate
