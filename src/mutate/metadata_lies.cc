// Lies about the lengths, counts, types and values of metadata records.

#include <array>
#include <bit>

#include "mutate/mutations.h"
#include "mutate/parts.h"
#include "mutate/solver.h"
#include "mutate/writer.h"

namespace ggufgate::mutate {
namespace {

// PutBeyond claims more things of `size` bytes than the file has room for behind the count at `at`.
void PutBeyond(Bench& bench, std::uint64_t at, std::uint64_t size) {
  if (!bench.Holds(at, 8)) return;
  const std::uint64_t rest = bench.bytes().size() - (at + 8);
  bench.Put<std::uint64_t>(at, NumberBeyond(bench.random, rest / size + 1));
}

// EntryOfType is any entry of a type, added where there is none.
std::optional<std::size_t> EntryOfType(Bench& bench, ValueType type) {
  const auto index = PickIndex(bench.random, bench.draft.entries,
                               [type](const Entry& entry) { return IsOfType(entry, type); });
  if (index) return index;
  if (type == ValueType::kString) {
    return AddValue(bench, type, StringValue(bench, bench.random.Below(20)));
  }
  return AddValue(bench, type, NumberValue(bench, 1, InfoOf(type).scalar_bytes));
}

// ArrayOf is any array that `wanted` takes by its element type; else one of `element` is added.
template <typename Wanted>
std::optional<std::size_t> ArrayOf(Bench& bench, ValueType element, Wanted wanted) {
  const auto index = PickIndex(bench.random, bench.draft.entries, [&](const Entry& entry) {
    const std::optional<std::uint32_t> type = ElementTypeOf(entry);
    return type && FindValueType(*type) != nullptr && wanted(ValueType{*type}, entry);
  });
  if (index) return index;
  return AddValue(bench, ValueType::kArray, ArrayValue(bench, element, bench.random.Between(1, 8)));
}

bool IsLeaf(ValueType type, const Entry&) { return type != ValueType::kArray; }

// AnyScalar is an element type that arrays of numbers have.
ValueType AnyScalar(Random& random) {
  constexpr std::array kTypes = {ValueType::kU8,  ValueType::kI16, ValueType::kU32,
                                 ValueType::kI32, ValueType::kF32, ValueType::kU64,
                                 ValueType::kF64, ValueType::kBool};
  return random.Pick(kTypes);
}

std::uint64_t ValueAt(const Bench& bench, std::size_t i) {
  return Placement::ValueAt(bench.placement.entries[i], bench.draft.entries[i]);
}

std::uint32_t UnknownType(Random& random) {
  constexpr std::array<std::uint32_t, 10> kTypes = {13,  14,  16,          127,   128,
                                                    255, 256, 0x8000'0000, 0x109, 0xFFFF'FFFF};
  const auto any = static_cast<std::uint32_t>(random.Next());
  return random.OneIn(4) && any > 12 ? any : random.Pick(kTypes);
}

}  // namespace

bool LieKeyBeyond(Bench& bench) {
  const auto i = SomeEntry(bench);
  if (!i || !bench.Write()) return false;
  PutBeyond(bench, bench.placement.entries[*i], 1);
  return true;
}

bool LieStringBeyond(Bench& bench) {
  const auto i = EntryOfType(bench, ValueType::kString);
  if (!i || !bench.Write()) return false;
  PutBeyond(bench, ValueAt(bench, *i), 1);
  return true;
}

bool LieArrayStringBeyond(Bench& bench) {
  constexpr std::uint64_t kHead = 12;   // element type and count
  constexpr std::uint64_t kLength = 8;  // of a string
  const auto i = ArrayOf(bench, ValueType::kString, [](ValueType type, const Entry& entry) {
    return type == ValueType::kString && entry.value.size() >= kHead + kLength;
  });
  if (!i || !bench.Write()) return false;
  const Bytes value = bench.draft.entries[*i].value;
  const auto count = Load<std::uint64_t>(value.subspan(4), ByteOrder::kLittle);
  std::uint64_t at = kHead;
  for (std::uint64_t skipped = bench.random.Below(count); skipped > 0; --skipped) {
    const auto length = Load<std::uint64_t>(value.subspan(at), ByteOrder::kLittle);
    const std::uint64_t rest = value.size() - at - kLength;
    if (rest < kLength || length > rest - kLength) break;
    at += kLength + length;
  }
  PutBeyond(bench, ValueAt(bench, *i) + at, 1);
  return true;
}

bool LieArrayCountBeyond(Bench& bench) {
  const auto i = ArrayOf(bench, AnyScalar(bench.random), IsLeaf);
  if (!i || !bench.Write()) return false;
  const ValueType element{ElementTypeOf(bench.draft.entries[*i]).value_or(0)};
  PutBeyond(bench, ValueAt(bench, *i) + 4, MinimumBytes(element));
  return true;
}

// Of strings it is what loaders keep of each that is multiplied: 8 to 40 bytes.
bool LieArrayCountWraps(Bench& bench) {
  const auto i = ArrayOf(bench, ValueType::kU32, [](ValueType type, const Entry&) {
    return type == ValueType::kString || InfoOf(type).scalar_bytes > 1;
  });
  if (!i || !bench.Write()) return false;
  const ValueType element{ElementTypeOf(bench.draft.entries[*i]).value_or(0)};
  const std::uint64_t at = ValueAt(bench, *i) + 4;
  constexpr std::array<std::uint64_t, 5> kKept = {8, 16, 24, 32, 40};
  const std::uint64_t size =
      element == ValueType::kString ? bench.random.Pick(kKept) : InfoOf(element).scalar_bytes;
  const auto count = WrappingFactor(bench.random, size, bench.Get<std::uint64_t>(at) * size);
  bench.Put<std::uint64_t>(at, count.value_or(UINT64_MAX / size + 1));
  return true;
}

bool LieValueTypeUnknown(Bench& bench) {
  const auto i = SomeEntry(bench);
  if (!i || !bench.Write()) return false;
  const std::uint64_t at = Placement::TypeAt(bench.placement.entries[*i], bench.draft.entries[*i]);
  bench.Put<std::uint32_t>(at, UnknownType(bench.random));
  return true;
}

bool LieElementTypeUnknown(Bench& bench) {
  const auto i = ArrayOf(bench, AnyScalar(bench.random), IsLeaf);
  if (!i || !bench.Write()) return false;
  bench.Put<std::uint32_t>(ValueAt(bench, *i), UnknownType(bench.random));
  return true;
}

bool LieElementTypeEmpty(Bench& bench) {
  const auto i = AddValue(bench, ValueType::kArray, ArrayValue(bench, ValueType::kU8, 0));
  if (!i || !bench.Write()) return false;
  bench.Put<std::uint32_t>(ValueAt(bench, *i), UnknownType(bench.random));
  return true;
}

// Up to four levels are walked to the end; the outermost holds several.
bool LieArrayNested(Bench& bench) {
  const std::uint64_t inner = bench.random.Between(1, 3);
  const std::uint64_t breadth = bench.random.Below(5) + 1;
  const std::size_t one = 12 * inner + 2;  // the leaf holds two bytes
  const MutableBytes value = bench.scratch.Take(12 + breadth * one);
  Writer writer(value, Encoding{});
  const auto head = [&](ValueType type, std::uint64_t count) {
    writer.Put(static_cast<std::uint32_t>(type)).PutWord(count);
  };
  head(ValueType::kArray, breadth);
  for (std::uint64_t k = 0; k < breadth; ++k) {
    for (std::uint64_t level = 1; level < inner; ++level) head(ValueType::kArray, 1);
    head(ValueType::kU8, 2);
    writer.Fill(2, 1);
  }
  const auto i = AddValue(bench, ValueType::kArray, value);
  if (!i || !bench.Write()) return false;
  bench.lie_at = ValueAt(bench, *i);
  return true;
}

bool LieArrayNestedEmpty(Bench& bench) {
  const auto i = AddValue(bench, ValueType::kArray, ArrayValue(bench, ValueType::kArray, 0));
  if (!i || !bench.Write()) return false;
  bench.lie_at = ValueAt(bench, *i);
  return true;
}

bool LieBoolValue(Bench& bench) {
  const auto i = EntryOfType(bench, ValueType::kBool);
  if (!i || !bench.Write()) return false;
  bench.Put(ValueAt(bench, *i), static_cast<std::uint8_t>(bench.random.Between(2, 255)));
  return true;
}

bool LieBoolElement(Bench& bench) {
  const auto i = ArrayOf(bench, ValueType::kBool, [](ValueType type, const Entry& entry) {
    return type == ValueType::kBool && entry.value.size() > 12;
  });
  if (!i || !bench.Write()) return false;
  const std::uint64_t element = bench.random.Below(bench.draft.entries[*i].value.size() - 12);
  bench.Put(ValueAt(bench, *i) + 12 + element,
            static_cast<std::uint8_t>(bench.random.Between(2, 255)));
  return true;
}

}  // namespace ggufgate::mutate
