// Edits of the values of metadata records.

#include <algorithm>
#include <array>
#include <utility>

#include "mutate/build/values.h"
#include "mutate/edits/leaf.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

bool IsFloat(std::uint32_t type) {
  return type == static_cast<std::uint32_t>(ValueType::kF32) ||
         type == static_cast<std::uint32_t>(ValueType::kF64);
}

Entry* AnyInteger(MutationContext& context) {
  return AnyOf(context.draft.entries, context.random, [](const Entry& entry) {
    const std::size_t size = SizeOfScalar(entry.type);
    return size > 0 && entry.value.size() == size && IsInteger(ValueType{entry.type});
  });
}

Entry* AnyString(MutationContext& context) {
  const Encoding encoding = context.draft.encoding;
  return AnyOf(context.draft.entries, context.random,
               [&](const Entry& entry) { return StringOf(entry, encoding).has_value(); });
}

Entry* AnyArray(MutationContext& context) {
  const Encoding encoding = context.draft.encoding;
  return AnyOf(context.draft.entries, context.random,
               [&](const Entry& entry) { return ArrayOf(entry, encoding).has_value(); });
}

// Set gives an entry another value, where that could be made.
bool Set(Entry& entry, Bytes value) {
  if (value.empty()) return false;
  entry.value = value;
  return true;
}

bool SetNumber(MutationContext& context, Entry& entry, std::uint64_t number) {
  return Set(entry, PutNumber(context.arena, number, SizeOfScalar(entry.type)));
}

std::uint64_t NumberOf(const Entry& entry) {
  std::uint64_t number = 0;
  for (std::size_t i = entry.value.size(); i > 0; --i) number = number << 8 | entry.value[i - 1];
  return number;
}

// Join gives an array of some of the elements of one and all of another.
bool Join(MutationContext& context, Entry& entry, const ArrayValue& array, std::uint64_t count,
          Bytes front, Bytes back) {
  const MutableBytes elements = context.arena.Take(front.size() + back.size());
  if (elements.size() != front.size() + back.size()) return false;
  std::ranges::copy(back, std::ranges::copy(front, elements.begin()).out);
  return Set(entry, PutArray(context.arena, array.element, count, elements));
}

}  // namespace

bool EditNumber(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  return entry != nullptr && SetNumber(context, *entry, BoundaryNumber(context.random));
}

bool EditNumberOfFile(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  return entry != nullptr && SetNumber(context, *entry, FileNumber(context));
}

bool EditNumberStep(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  if (entry == nullptr) return false;
  const std::uint64_t number = NumberOf(*entry);
  const std::array<std::uint64_t, 6> steps = {number + 1,  number - 1, number << 1,
                                              number >> 1, 0 - number, ~number};
  return SetNumber(context, *entry, context.random.Pick(steps));
}

bool EditFloat(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random,
                       [](const Entry& any) { return IsFloat(any.type); });
  if (entry == nullptr) return false;
  return SetNumber(context, *entry, FloatBits(context.random, SizeOfScalar(entry->type)));
}

bool EditBool(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random, [](const Entry& any) {
    return any.type == static_cast<std::uint32_t>(ValueType::kBool) && any.value.size() == 1;
  });
  if (entry == nullptr) return false;
  return SetNumber(context, *entry, entry->value.front() == 0 ? 1 : 0);
}

bool EditSwapValues(MutationContext& context) {
  FixedVector<Entry>& entries = context.draft.entries;
  if (entries.size() < 2) return false;
  const std::size_t a = context.random.Below(entries.size());
  const std::size_t b = (a + context.random.Between(1, entries.size() - 1)) % entries.size();
  std::swap(entries[a].type, entries[b].type);
  std::swap(entries[a].value, entries[b].value);
  return true;
}

bool EditGrowString(MutationContext& context) {
  Entry* entry = AnyString(context);
  if (entry == nullptr) return false;
  const std::string_view text = *StringOf(*entry, context.draft.encoding);
  const std::string_view more = MakeWord(context, context.random.Between(1, 64));
  const MutableBytes longer = context.arena.Take(text.size() + more.size());
  if (longer.empty()) return false;
  const std::size_t at = context.random.Below(text.size() + 1);
  auto out = std::ranges::copy(AsBytes(text.substr(0, at)), longer.begin()).out;
  out = std::ranges::copy(AsBytes(more), out).out;
  std::ranges::copy(AsBytes(text.substr(at)), out);
  return Set(*entry, PutString(context.arena, AsText(longer)));
}

bool EditShrinkString(MutationContext& context) {
  Entry* entry = AnyString(context);
  if (entry == nullptr) return false;
  const std::string_view text = *StringOf(*entry, context.draft.encoding);
  if (text.empty()) return false;
  const std::size_t size = context.random.Below(text.size());
  return Set(*entry,
             PutString(context.arena, text.substr(context.random.Below(text.size() - size), size)));
}

bool EditGrowArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  const std::uint64_t count = context.random.Between(1, context.random.OneIn(4) ? 64 : 4);
  const Bytes more = MakeArray(context, array.element, count);
  if (more.empty()) return false;
  return Join(context, *entry, array, array.count + count, array.elements, more.subspan(12));
}

bool EditShrinkArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  if (array.count == 0) return false;
  const std::uint64_t count = context.random.OneIn(4) ? 0 : context.random.Below(array.count);
  const std::optional<std::size_t> size = array.element_bytes > 0
                                              ? std::size_t{count * array.element_bytes}
                                              : StringsEnd(array.elements, count);
  if (!size) return false;
  // The elements stay where they are; only the count in front of them is another.
  return Join(context, *entry, array, count, array.elements.first(*size), {});
}

bool EditDoubleArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  if (array.elements.empty() || array.elements.size() > context.room() / 4) return false;
  return Join(context, *entry, array, 2 * array.count, array.elements, array.elements);
}

bool EditElement(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  if (array.count == 0 || array.element_bytes == 0) return false;
  const Bytes element = MakeScalar(context, array.element);
  const MutableBytes value = context.arena.Copy(entry->value);
  if (element.empty() || value.empty()) return false;
  const std::uint64_t at = context.random.Below(array.count) * array.element_bytes;
  std::ranges::copy(element, value.subspan(12 + at).begin());
  return Set(*entry, value);
}

bool EditSwapElements(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  if (array.count < 2 || array.element_bytes == 0) return false;
  const MutableBytes value = context.arena.Copy(entry->value);
  if (value.empty()) return false;
  const MutableBytes elements = value.subspan(12);
  const std::uint64_t a = context.random.Below(array.count);
  const std::uint64_t b = (a + context.random.Between(1, array.count - 1)) % array.count;
  std::ranges::swap_ranges(elements.subspan(a * array.element_bytes, array.element_bytes),
                           elements.subspan(b * array.element_bytes, array.element_bytes));
  return Set(*entry, value);
}

bool EditTurnStrings(MutationContext& context) {
  const Encoding encoding = context.draft.encoding;
  Entry* entry = AnyOf(context.draft.entries, context.random, [&](const Entry& any) {
    const std::optional<ArrayValue> array = ArrayOf(any, encoding);
    return array && array->element == ValueType::kString && array->count > 1;
  });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  const std::optional<std::size_t> end =
      StringsEnd(array.elements, context.random.Between(1, array.count - 1));
  if (!end) return false;
  return Join(context, *entry, array, array.count, array.elements.subspan(*end),
              array.elements.first(*end));
}

bool EditLeaf(MutationContext& context) {
  Entry* entry = context.random.OneIn(2) ? AnyString(context) : AnyArray(context);
  if (entry == nullptr) return false;
  if (const auto text = StringOf(*entry, context.draft.encoding)) {
    const MutableBytes changed = ChangeLeaf(context, AsBytes(*text), text->size() + 32);
    return !changed.empty() && Set(*entry, PutString(context.arena, AsText(changed)));
  }
  const ArrayValue array = *ArrayOf(*entry, context.draft.encoding);
  if (array.element_bytes == 0) return false;
  const MutableBytes changed = ChangeLeaf(context, array.elements, array.elements.size() + 32);
  const std::size_t count = changed.size() / array.element_bytes;
  return Join(context, *entry, array, count, changed.first(count * array.element_bytes), {});
}

}  // namespace ggufgate::mutate
