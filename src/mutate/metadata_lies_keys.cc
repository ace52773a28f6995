// Lies about keys, and about the one key that lays the file out.

#include <algorithm>
#include <array>
#include <bit>

#include "mutate/mutations.h"
#include "mutate/parts.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kLongestKey = 65535;                         // specification
constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 20;  // limits.def
constexpr auto kU32 = static_cast<std::uint32_t>(ValueType::kU32);

// SetAlignment gives `general.alignment` a value, the key being added where it is not there.
std::optional<std::size_t> SetAlignment(Bench& bench, ValueType type, Bytes value) {
  if (value.empty() || !HasRoom(bench, kAlignmentKey.size() + 12 + value.size())) {
    return std::nullopt;
  }
  Table<Entry>& entries = bench.draft.entries;
  const Entry entry = {
      .key = kAlignmentKey, .type = static_cast<std::uint32_t>(type), .value = value};
  const auto found = std::ranges::find(entries, kAlignmentKey, &Entry::key);
  if (found == entries.end()) return AddEntry(bench, entry, bench.random.Below(entries.size() + 1));
  *found = entry;
  return static_cast<std::size_t>(found - entries.begin());
}

// SetNumber is SetAlignment with a u32; then the file is written.
bool SetNumber(Bench& bench, std::uint64_t number) {
  const auto i = SetAlignment(bench, ValueType::kU32, NumberValue(bench, number, 4));
  if (!i) return false;
  if (bench.Write()) {
    bench.lie_at = Placement::ValueAt(bench.placement.entries[*i], bench.draft.entries[*i]);
  }
  return true;
}

// With tensors no file of a sane size can be what such an alignment asks for; without, nothing else
// is wrong with it.
void DropTensorsAtTimes(Bench& bench) {
  if (bench.written() || bench.random.OneIn(2)) return;
  ForgetTensorCount(bench.draft);
  bench.draft.tensors.Clear();
}

// AddTwice adds a second record of a key, next to the first or anywhere behind it: readers that
// take the first see what they saw before.
bool AddTwice(Bench& bench, std::size_t first, const Entry& second) {
  const std::size_t at = bench.random.OneIn(2)
                             ? first + 1
                             : bench.random.Between(first + 1, bench.draft.entries.size());
  if (!AddEntry(bench, second, at)) return false;
  if (bench.Write()) bench.lie_at = bench.placement.entries[at] + 8;
  return true;
}

}  // namespace

bool LieKeyEmpty(Bench& bench) {
  const auto i = AddValue(bench, ValueType::kString, StringValue(bench, bench.random.Below(20)));
  if (!i) return false;
  bench.draft.entries[*i].key = {};
  if (bench.Write()) bench.lie_at = bench.placement.entries[*i];
  return true;
}

bool LieKeyTooLong(Bench& bench) {
  const std::size_t size = kLongestKey + 1 + (bench.random.OneIn(2) ? 0 : bench.random.Below(64));
  if (bench.draft.entries.Full() || !HasRoom(bench, size + 64)) return false;
  const std::string_view key = FreshName(bench, size);
  const Bytes value = NumberValue(bench, bench.random.Next(), 4);
  if (key.empty() || value.empty()) return false;
  const auto i = AddEntry(bench, {.key = key, .type = kU32, .value = value},
                          bench.random.Below(bench.draft.entries.size() + 1));
  if (!i) return false;
  if (bench.Write()) bench.lie_at = bench.placement.entries[*i];
  return true;
}

bool LieKeyTwice(Bench& bench) {
  const auto i = SomeEntry(bench);
  if (!i) return false;
  const Entry copy = bench.draft.entries[*i];
  return AddTwice(bench, *i, copy);
}

// A key that means nothing: of one that does, the second type might be an error of its own.
bool LieKeyTwiceTyped(Bench& bench) {
  const Bytes number = NumberValue(bench, bench.random.Next(), 8);
  const Bytes text = StringValue(bench, bench.random.Below(20));
  const std::uint64_t room = 128;
  if (number.empty() || text.empty() || !HasRoom(bench, room)) return false;
  if (bench.draft.entries.size() + 2 > Draft::kMostEntries) return false;
  const auto i = AddValue(bench, ValueType::kString, text);
  if (!i) return false;
  constexpr std::array kTypes = {ValueType::kU64, ValueType::kI64, ValueType::kF64};
  return AddTwice(bench, *i,
                  {.key = bench.draft.entries[*i].key,
                   .type = static_cast<std::uint32_t>(bench.random.Pick(kTypes)),
                   .value = number});
}

bool LieAlignmentTwice(Bench& bench) {
  const std::uint64_t alignment = bench.draft.alignment;
  if (bench.draft.entries.size() + 2 > Draft::kMostEntries || !HasRoom(bench, 128)) return false;
  const Bytes first = NumberValue(bench, alignment, 4);
  const Bytes second = NumberValue(bench, alignment << bench.random.Between(1, 4), 4);
  if (first.empty() || second.empty()) return false;
  const auto i = SetAlignment(bench, ValueType::kU32, first);
  return i && AddTwice(bench, *i, {.key = kAlignmentKey, .type = kU32, .value = second});
}

bool LieAlignmentType(Bench& bench) {
  constexpr std::array kTypes = {ValueType::kU64,    ValueType::kI32,  ValueType::kU8,
                                 ValueType::kU16,    ValueType::kI64,  ValueType::kF32,
                                 ValueType::kString, ValueType::kBool, ValueType::kArray};
  const ValueType type = bench.random.Pick(kTypes);
  const Bytes value = type == ValueType::kString  ? StringValue(bench, 2)
                      : type == ValueType::kArray ? ArrayValue(bench, ValueType::kU32, 1)
                      : type == ValueType::kBool
                          ? NumberValue(bench, 1, 1)
                          : NumberValue(bench, bench.draft.alignment, InfoOf(type).scalar_bytes);
  const auto i = SetAlignment(bench, type, value);
  if (!i) return false;
  if (bench.Write()) {
    bench.lie_at = Placement::TypeAt(bench.placement.entries[*i], bench.draft.entries[*i]);
  }
  return true;
}

bool LieAlignmentZero(Bench& bench) { return SetNumber(bench, 0); }

// The file is laid out by what it says, so that nothing else is wrong with it.
bool LieAlignmentUneven(Bench& bench) {
  constexpr std::array<std::uint64_t, 12> kUneven = {3, 5, 6, 7, 12, 13, 24, 31, 33, 40, 48, 4095};
  const std::uint64_t before = bench.draft.alignment;
  const std::uint64_t alignment =
      bench.random.OneIn(4) ? bench.random.Between(1, 500) * 2 + 1 : bench.random.Pick(kUneven);
  if (!HasRoom(bench, 64 + alignment * (bench.draft.tensors.size() + 1))) return false;
  bench.draft.alignment = alignment;
  LayOut(bench.draft);
  if (SetNumber(bench, alignment)) return true;
  bench.draft.alignment = before;
  LayOut(bench.draft);
  return false;
}

bool LieAlignmentUnevenHuge(Bench& bench) {
  constexpr std::array<std::uint64_t, 6> kHuge = {0x8000'0001, 0xFFFF'FFFF, 0x7FFF'FFFF,
                                                  0xFFFF'FFE0, 0x0010'0001, 0xC000'0000};
  DropTensorsAtTimes(bench);
  return SetNumber(bench, bench.random.Pick(kHuge));
}

bool LieAlignmentLarge(Bench& bench) {
  DropTensorsAtTimes(bench);
  return SetNumber(bench, kLargestAlignment << bench.random.Between(1, 11));
}

// The new alignment is one that an offset is no multiple of.
bool LieAlignmentDisagrees(Bench& bench) {
  const auto stands_apart = [](const Tensor& tensor) {
    return tensor.offset != 0 &&
           std::uint64_t{1} << std::countr_zero(tensor.offset) < kLargestAlignment;
  };
  auto i = PickIndex(bench.random, bench.draft.tensors, stands_apart);
  if (!i && AddTensor(bench, TensorType::kF32, 1) && AddTensor(bench, TensorType::kF32, 1)) {
    i = PickIndex(bench.random, bench.draft.tensors, stands_apart);
  }
  if (!i) return false;
  const auto twos = static_cast<unsigned>(std::countr_zero(bench.draft.tensors[*i].offset));
  return SetNumber(bench, std::uint64_t{1} << bench.random.Between(twos + 1, 20));
}

}  // namespace ggufgate::mutate
