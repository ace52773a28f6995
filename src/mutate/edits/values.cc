// Edits of the values of metadata records.

#include <algorithm>
#include <array>
#include <utility>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/engine_number.h"
#include "mutate/build/records.h"
#include "mutate/edits/leaf.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

Entry* AnyInteger(MutationContext& context) {
  return AnyOf(context.draft.entries, context.random, [](const Entry& entry) {
    const std::size_t size = ScalarBytes(entry.type);
    return size > 0 && entry.value.size() == size && IsInteger(ValueType{entry.type});
  });
}

bool SetScalar(MutationContext& context, Entry& entry, std::uint64_t number) {
  return SetValue(entry, NumberValue(context.arena, number, ScalarBytes(entry.type)));
}

std::uint64_t NumberOf(const Entry& entry) {
  std::uint64_t number = 0;
  for (std::size_t i = entry.value.size(); i > 0; --i) number = number << 8 | entry.value[i - 1];
  return number;
}

// Join makes an array from some elements of one array and all of another.
bool Join(MutationContext& context, Entry& entry, const ArrayParts& array, std::uint64_t count,
          Bytes front, Bytes back) {
  const MutableBytes elements = context.arena.Take(front.size() + back.size());
  if (elements.size() != front.size() + back.size()) return false;
  std::ranges::copy(back, std::ranges::copy(front, elements.begin()).out);
  return SetValue(entry, ArrayValue(context.arena, array.element, count, elements));
}

}  // namespace

bool EditNumber(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  if (entry == nullptr) return false;
  const std::uint64_t number = context.random.OneIn(2)
                                   ? BoundaryNumber(context.random)
                                   : EngineNumber(context, NumberOf(*entry), entry->value.size());
  return SetScalar(context, *entry, number);
}

bool EditNumberOfFile(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  return entry != nullptr && SetScalar(context, *entry, FileNumber(context));
}

bool EditNumberStep(MutationContext& context) {
  Entry* entry = AnyInteger(context);
  if (entry == nullptr) return false;
  const std::uint64_t number = NumberOf(*entry);
  const std::array<std::uint64_t, 6> steps = {number + 1,  number - 1, number << 1,
                                              number >> 1, 0 - number, ~number};
  return SetScalar(context, *entry, context.random.Pick(steps));
}

bool EditFloat(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random, [](const Entry& any) {
    return Is(any, ValueType::kF32) || Is(any, ValueType::kF64);
  });
  if (entry == nullptr) return false;
  return SetScalar(context, *entry, FloatBits(context.random, ScalarBytes(entry->type)));
}

bool EditBool(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random, [](const Entry& any) {
    return Is(any, ValueType::kBool) && any.value.size() == 1;
  });
  if (entry == nullptr) return false;
  return SetScalar(context, *entry, entry->value.front() == 0 ? 1 : 0);
}

bool EditSwapValues(MutationContext& context) {
  return SwapTwo(context.draft.entries, context.random, &Entry::type, &Entry::value);
}

bool EditGrowString(MutationContext& context) {
  Entry* entry = AnyString(context);
  if (entry == nullptr) return false;
  const std::string_view more = DrawWord(context, context.random.Between(1, 64));
  const std::string_view longer = Spliced(context, *TextOf(*entry), more);
  return !longer.empty() && SetValue(*entry, TextValue(context.arena, longer));
}

bool EditShrinkString(MutationContext& context) {
  Entry* entry = AnyString(context);
  if (entry == nullptr) return false;
  const std::string_view text = *TextOf(*entry);
  if (text.empty()) return false;
  const std::size_t size = context.random.Below(text.size());
  return SetValue(*entry, TextValue(context.arena,
                                    text.substr(context.random.Below(text.size() - size), size)));
}

bool EditGrowArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  const std::uint64_t count = context.random.Between(1, context.random.OneIn(4) ? 64 : 4);
  const Bytes more = DrawArray(context, array.element, count);
  if (more.empty()) return false;
  return Join(context, *entry, array, array.count + count, array.elements,
              more.subspan(kArrayHead));
}

bool EditShrinkArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  if (array.count == 0) return false;
  const std::uint64_t count = context.random.OneIn(4) ? 0 : context.random.Below(array.count);
  const std::optional<std::size_t> size = array.element_bytes > 0
                                              ? std::size_t{count * array.element_bytes}
                                              : SizeOfStrings(array.elements, count);
  if (!size) return false;
  // The elements stay at the same offset; only the count before them changes.
  return Join(context, *entry, array, count, array.elements.first(*size), {});
}

bool EditDoubleArray(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  if (array.elements.empty() || array.elements.size() > context.room() / 4) return false;
  return Join(context, *entry, array, 2 * array.count, array.elements, array.elements);
}

bool EditElement(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  if (array.count == 0 || array.element_bytes == 0) return false;
  const Bytes element = DrawScalar(context, array.element);
  const MutableBytes value = context.arena.Copy(entry->value);
  if (element.empty() || value.empty()) return false;
  const std::uint64_t at = context.random.Below(array.count) * array.element_bytes;
  std::ranges::copy(element, value.subspan(kArrayHead + at).begin());
  return SetValue(*entry, value);
}

bool EditSwapElements(MutationContext& context) {
  Entry* entry = AnyArray(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  if (array.count < 2 || array.element_bytes == 0) return false;
  const MutableBytes value = context.arena.Copy(entry->value);
  if (value.empty()) return false;
  const MutableBytes elements = value.subspan(kArrayHead);
  const auto [a, b] = context.random.Two(array.count);
  std::ranges::swap_ranges(elements.subspan(a * array.element_bytes, array.element_bytes),
                           elements.subspan(b * array.element_bytes, array.element_bytes));
  return SetValue(*entry, value);
}

bool EditTurnStrings(MutationContext& context) {
  Entry* entry = AnyArray(context, [](const ArrayParts& array) {
    return array.element == ValueType::kString && array.count > 1;
  });
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  const std::optional<std::size_t> end =
      SizeOfStrings(array.elements, context.random.Between(1, array.count - 1));
  if (!end) return false;
  return Join(context, *entry, array, array.count, array.elements.subspan(*end),
              array.elements.first(*end));
}

bool EditLeaf(MutationContext& context) {
  Entry* entry = context.random.OneIn(2) ? AnyString(context) : AnyArray(context);
  if (entry == nullptr) return false;
  if (const auto text = TextOf(*entry)) {
    const MutableBytes changed = ChangeLeaf(context, AsBytes(*text), text->size() + 32);
    return !changed.empty() && SetValue(*entry, TextValue(context.arena, AsText(changed)));
  }
  const ArrayParts array = *PartsOf(*entry);
  if (array.element_bytes == 0) return false;
  const MutableBytes changed = ChangeLeaf(context, array.elements, array.elements.size() + 32);
  const std::size_t count = changed.size() / array.element_bytes;
  return Join(context, *entry, array, count, changed.first(count * array.element_bytes), {});
}

}  // namespace ggufgate::mutate
