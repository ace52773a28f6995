// Lies about the lengths, counts, types and values of metadata records.

#include <array>
#include <bit>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/file/writer.h"
#include "mutate/lies/lie_context.h"
#include "mutate/lies/solver.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Overcount sets the count at `at` to more things of `size` bytes than fit after it.
void Overcount(MutationContext& context, std::uint64_t at, std::uint64_t size) {
  if (!context.Holds(at, 8)) return;
  const std::uint64_t rest = context.bytes().size() - (at + 8);
  context.Put(at, Beyond(context, at, rest / size + 1));
}

// EntryOfType returns an entry of a type, and adds one if necessary.
std::optional<std::size_t> EntryOfType(MutationContext& context, ValueType type) {
  const auto index = PickIndex(context.random, context.draft.entries,
                               [type](const Entry& entry) { return Is(entry, type); });
  if (index) return index;
  if (type == ValueType::kString) {
    return InsertValue(context, type, DrawString(context, context.random.Below(20)));
  }
  return InsertValue(context, type, NumberValue(context.arena, 1, InfoOf(type).scalar_bytes));
}

// ArrayOf returns an array whose element type `wanted` accepts, or adds one of `element`.
template <typename Wanted>
std::optional<std::size_t> ArrayOf(MutationContext& context, ValueType element, Wanted wanted) {
  const auto index = PickIndex(context.random, context.draft.entries, [&](const Entry& entry) {
    return IsArray(entry) && FindValueType(IdOf(ElementTypeOf(entry))) != nullptr &&
           wanted(ElementTypeOf(entry), entry);
  });
  if (index) return index;
  return InsertValue(context, ValueType::kArray,
                     PlainArrayValue(context.arena, element, context.random.Between(1, 8)));
}

bool IsLeaf(ValueType type, const Entry&) { return type != ValueType::kArray; }

// AnyScalar returns an element type for arrays of numbers.
ValueType AnyScalar(Random& random) {
  constexpr std::array kTypes = {ValueType::kU8,  ValueType::kI16, ValueType::kU32,
                                 ValueType::kI32, ValueType::kF32, ValueType::kU64,
                                 ValueType::kF64, ValueType::kBool};
  return random.Pick(kTypes);
}

std::uint64_t ValueAt(const MutationContext& context, std::size_t i) {
  return Placement::ValueAt(context.placement.entries[i], context.draft.entries[i]);
}

std::uint32_t UnknownType(Random& random) {
  constexpr std::array<std::uint32_t, 10> kTypes = {13,  14,  16,          127,   128,
                                                    255, 256, 0x8000'0000, 0x109, 0xFFFF'FFFF};
  const auto any = static_cast<std::uint32_t>(random.Next());
  return random.OneIn(4) && any > 12 ? any : random.Pick(kTypes);
}

}  // namespace

bool LieKeyBeyond(MutationContext& context) {
  const auto i = SomeEntry(context);
  if (!i || !context.Write()) return false;
  Overcount(context, context.placement.entries[*i], 1);
  return true;
}

bool LieStringBeyond(MutationContext& context) {
  const auto i = EntryOfType(context, ValueType::kString);
  if (!i || !context.Write()) return false;
  Overcount(context, ValueAt(context, *i), 1);
  return true;
}

bool LieArrayStringBeyond(MutationContext& context) {
  const auto i = ArrayOf(context, ValueType::kString, [](ValueType type, const Entry& entry) {
    return type == ValueType::kString && entry.value.size() >= kArrayHead + kStringHead;
  });
  if (!i || !context.Write()) return false;
  const Entry& entry = context.draft.entries[*i];
  const std::uint64_t skipped = context.random.Below(CountOf(entry));
  Overcount(
      context,
      ValueAt(context, *i) + kArrayHead + SizeOfStrings(ElementsOf(entry), skipped).value_or(0), 1);
  return true;
}

bool LieArrayCountBeyond(MutationContext& context) {
  const auto i = ArrayOf(context, AnyScalar(context.random), IsLeaf);
  if (!i || !context.Write()) return false;
  const ValueType element = ElementTypeOf(context.draft.entries[*i]);
  Overcount(context, ValueAt(context, *i) + 4, MinimumBytes(element));
  return true;
}

// For strings, loaders multiply the count by the size of their string type: 8 to 40 bytes.
bool LieArrayCountWraps(MutationContext& context) {
  const auto i = ArrayOf(context, ValueType::kU32, [](ValueType type, const Entry&) {
    return type == ValueType::kString || InfoOf(type).scalar_bytes > 1;
  });
  if (!i || !context.Write()) return false;
  const ValueType element = ElementTypeOf(context.draft.entries[*i]);
  const std::uint64_t at = ValueAt(context, *i) + 4;
  constexpr std::array<std::uint64_t, 5> kKept = {8, 16, 24, 32, 40};
  const std::uint64_t size =
      element == ValueType::kString ? context.random.Pick(kKept) : InfoOf(element).scalar_bytes;
  const auto count = WrappingFactor(context.random, size, context.Get<std::uint64_t>(at) * size);
  context.Put<std::uint64_t>(at, count.value_or(UINT64_MAX / size + 1));
  return true;
}

bool LieValueTypeUnknown(MutationContext& context) {
  const auto i = SomeEntry(context);
  if (!i || !context.Write()) return false;
  const std::uint64_t at =
      Placement::TypeAt(context.placement.entries[*i], context.draft.entries[*i]);
  context.Put<std::uint32_t>(at, UnknownType(context.random));
  return true;
}

bool LieElementTypeUnknown(MutationContext& context) {
  const auto i = ArrayOf(context, AnyScalar(context.random), IsLeaf);
  if (!i || !context.Write()) return false;
  context.Put<std::uint32_t>(ValueAt(context, *i), UnknownType(context.random));
  return true;
}

bool LieElementTypeEmpty(MutationContext& context) {
  const auto i =
      InsertValue(context, ValueType::kArray, PlainArrayValue(context.arena, ValueType::kU8, 0));
  if (!i || !context.Write()) return false;
  context.Put<std::uint32_t>(ValueAt(context, *i), UnknownType(context.random));
  return true;
}

// Up to four levels are checked to the end; the outermost array has several.
bool LieArrayNested(MutationContext& context) {
  const std::uint64_t inner = context.random.Between(1, 3);
  const std::uint64_t breadth = context.random.Below(5) + 1;
  const std::size_t one = 12 * inner + 2;  // the leaf has two bytes
  const MutableBytes value = context.arena.Take(12 + breadth * one);
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
  const auto i = InsertValue(context, ValueType::kArray, value);
  if (!i || !context.Write()) return false;
  context.lie_at = ValueAt(context, *i);
  return true;
}

bool LieArrayNestedEmpty(MutationContext& context) {
  const auto i =
      InsertValue(context, ValueType::kArray, PlainArrayValue(context.arena, ValueType::kArray, 0));
  if (!i || !context.Write()) return false;
  context.lie_at = ValueAt(context, *i);
  return true;
}

bool LieBoolValue(MutationContext& context) {
  const auto i = EntryOfType(context, ValueType::kBool);
  if (!i || !context.Write()) return false;
  context.Put(ValueAt(context, *i), static_cast<std::uint8_t>(context.random.Between(2, 255)));
  return true;
}

bool LieBoolElement(MutationContext& context) {
  const auto i = ArrayOf(context, ValueType::kBool, [](ValueType type, const Entry& entry) {
    return type == ValueType::kBool && entry.value.size() > 12;
  });
  if (!i || !context.Write()) return false;
  const std::uint64_t element = context.random.Below(context.draft.entries[*i].value.size() - 12);
  context.Put(ValueAt(context, *i) + 12 + element,
              static_cast<std::uint8_t>(context.random.Between(2, 255)));
  return true;
}

}  // namespace ggufgate::mutate
