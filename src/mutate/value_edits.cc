// Edits of the values of metadata records.

#include <algorithm>
#include <array>
#include <utility>

#include "mutate/leaf.h"
#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

bool IsFloat(std::uint32_t type) {
  return type == static_cast<std::uint32_t>(ValueType::kF32) ||
         type == static_cast<std::uint32_t>(ValueType::kF64);
}

Entry* AnyInteger(Bench& bench) {
  return AnyOf(bench.draft.entries, bench.random, [](const Entry& entry) {
    const std::size_t size = SizeOfScalar(entry.type);
    return size > 0 && entry.value.size() == size && IsInteger(ValueType{entry.type});
  });
}

Entry* AnyString(Bench& bench) {
  const Encoding encoding = bench.draft.encoding;
  return AnyOf(bench.draft.entries, bench.random,
               [&](const Entry& entry) { return StringOf(entry, encoding).has_value(); });
}

Entry* AnyArray(Bench& bench) {
  const Encoding encoding = bench.draft.encoding;
  return AnyOf(bench.draft.entries, bench.random,
               [&](const Entry& entry) { return ArrayOf(entry, encoding).has_value(); });
}

// Set gives an entry another value, where that could be made.
bool Set(Entry& entry, Bytes value) {
  if (value.empty()) return false;
  entry.value = value;
  return true;
}

bool SetNumber(Bench& bench, Entry& entry, std::uint64_t number) {
  return Set(entry, PutNumber(bench.scratch, number, SizeOfScalar(entry.type)));
}

std::uint64_t NumberOf(const Entry& entry) {
  std::uint64_t number = 0;
  for (std::size_t i = entry.value.size(); i > 0; --i) number = number << 8 | entry.value[i - 1];
  return number;
}

// Join gives an array of some of the elements of one and all of another.
bool Join(Bench& bench, Entry& entry, const ArrayValue& array, std::uint64_t count, Bytes front,
          Bytes back) {
  const MutableBytes elements = bench.scratch.Take(front.size() + back.size());
  if (elements.size() != front.size() + back.size()) return false;
  std::ranges::copy(back, std::ranges::copy(front, elements.begin()).out);
  return Set(entry, PutArray(bench.scratch, array.element, count, elements));
}

}  // namespace

bool EditNumber(Bench& bench) {
  Entry* entry = AnyInteger(bench);
  return entry != nullptr && SetNumber(bench, *entry, BoundaryNumber(bench.random));
}

bool EditNumberOfFile(Bench& bench) {
  Entry* entry = AnyInteger(bench);
  return entry != nullptr && SetNumber(bench, *entry, FileNumber(bench));
}

bool EditNumberStep(Bench& bench) {
  Entry* entry = AnyInteger(bench);
  if (entry == nullptr) return false;
  const std::uint64_t number = NumberOf(*entry);
  const std::array<std::uint64_t, 6> steps = {number + 1,  number - 1, number << 1,
                                              number >> 1, 0 - number, ~number};
  return SetNumber(bench, *entry, bench.random.Pick(steps));
}

bool EditFloat(Bench& bench) {
  Entry* entry =
      AnyOf(bench.draft.entries, bench.random, [](const Entry& any) { return IsFloat(any.type); });
  if (entry == nullptr) return false;
  return SetNumber(bench, *entry, FloatBits(bench.random, SizeOfScalar(entry->type)));
}

bool EditBool(Bench& bench) {
  Entry* entry = AnyOf(bench.draft.entries, bench.random, [](const Entry& any) {
    return any.type == static_cast<std::uint32_t>(ValueType::kBool) && any.value.size() == 1;
  });
  if (entry == nullptr) return false;
  return SetNumber(bench, *entry, entry->value.front() == 0 ? 1 : 0);
}

bool EditSwapValues(Bench& bench) {
  Table<Entry>& entries = bench.draft.entries;
  if (entries.size() < 2) return false;
  const std::size_t a = bench.random.Below(entries.size());
  const std::size_t b = (a + bench.random.Between(1, entries.size() - 1)) % entries.size();
  std::swap(entries[a].type, entries[b].type);
  std::swap(entries[a].value, entries[b].value);
  return true;
}

bool EditGrowString(Bench& bench) {
  Entry* entry = AnyString(bench);
  if (entry == nullptr) return false;
  const std::string_view text = *StringOf(*entry, bench.draft.encoding);
  const std::string_view more = MakeWord(bench, bench.random.Between(1, 64));
  const MutableBytes longer = bench.scratch.Take(text.size() + more.size());
  if (longer.empty()) return false;
  const std::size_t at = bench.random.Below(text.size() + 1);
  auto out = std::ranges::copy(AsBytes(text.substr(0, at)), longer.begin()).out;
  out = std::ranges::copy(AsBytes(more), out).out;
  std::ranges::copy(AsBytes(text.substr(at)), out);
  return Set(*entry, PutString(bench.scratch, AsText(longer)));
}

bool EditShrinkString(Bench& bench) {
  Entry* entry = AnyString(bench);
  if (entry == nullptr) return false;
  const std::string_view text = *StringOf(*entry, bench.draft.encoding);
  if (text.empty()) return false;
  const std::size_t size = bench.random.Below(text.size());
  return Set(*entry,
             PutString(bench.scratch, text.substr(bench.random.Below(text.size() - size), size)));
}

bool EditGrowArray(Bench& bench) {
  Entry* entry = AnyArray(bench);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  const std::uint64_t count = bench.random.Between(1, bench.random.OneIn(4) ? 64 : 4);
  const Bytes more = MakeArray(bench, array.element, count);
  if (more.empty()) return false;
  return Join(bench, *entry, array, array.count + count, array.elements, more.subspan(12));
}

bool EditShrinkArray(Bench& bench) {
  Entry* entry = AnyArray(bench);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  if (array.count == 0) return false;
  const std::uint64_t count = bench.random.OneIn(4) ? 0 : bench.random.Below(array.count);
  const std::optional<std::size_t> size = array.element_bytes > 0
                                              ? std::size_t{count * array.element_bytes}
                                              : StringsEnd(array.elements, count);
  if (!size) return false;
  // The elements stay where they are; only the count in front of them is another.
  return Join(bench, *entry, array, count, array.elements.first(*size), {});
}

bool EditDoubleArray(Bench& bench) {
  Entry* entry = AnyArray(bench);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  if (array.elements.empty() || array.elements.size() > bench.room() / 4) return false;
  return Join(bench, *entry, array, 2 * array.count, array.elements, array.elements);
}

bool EditElement(Bench& bench) {
  Entry* entry = AnyArray(bench);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  if (array.count == 0 || array.element_bytes == 0) return false;
  const Bytes element = MakeScalar(bench, array.element);
  const MutableBytes value = bench.scratch.Copy(entry->value);
  if (element.empty() || value.empty()) return false;
  const std::uint64_t at = bench.random.Below(array.count) * array.element_bytes;
  std::ranges::copy(element, value.subspan(12 + at).begin());
  return Set(*entry, value);
}

bool EditSwapElements(Bench& bench) {
  Entry* entry = AnyArray(bench);
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  if (array.count < 2 || array.element_bytes == 0) return false;
  const MutableBytes value = bench.scratch.Copy(entry->value);
  if (value.empty()) return false;
  const MutableBytes elements = value.subspan(12);
  const std::uint64_t a = bench.random.Below(array.count);
  const std::uint64_t b = (a + bench.random.Between(1, array.count - 1)) % array.count;
  std::ranges::swap_ranges(elements.subspan(a * array.element_bytes, array.element_bytes),
                           elements.subspan(b * array.element_bytes, array.element_bytes));
  return Set(*entry, value);
}

bool EditTurnStrings(Bench& bench) {
  const Encoding encoding = bench.draft.encoding;
  Entry* entry = AnyOf(bench.draft.entries, bench.random, [&](const Entry& any) {
    const std::optional<ArrayValue> array = ArrayOf(any, encoding);
    return array && array->element == ValueType::kString && array->count > 1;
  });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  const std::optional<std::size_t> end =
      StringsEnd(array.elements, bench.random.Between(1, array.count - 1));
  if (!end) return false;
  return Join(bench, *entry, array, array.count, array.elements.subspan(*end),
              array.elements.first(*end));
}

bool EditLeaf(Bench& bench) {
  Entry* entry = bench.random.OneIn(2) ? AnyString(bench) : AnyArray(bench);
  if (entry == nullptr) return false;
  if (const auto text = StringOf(*entry, bench.draft.encoding)) {
    const MutableBytes changed = ChangeLeaf(bench, AsBytes(*text), text->size() + 32);
    return !changed.empty() && Set(*entry, PutString(bench.scratch, AsText(changed)));
  }
  const ArrayValue array = *ArrayOf(*entry, bench.draft.encoding);
  if (array.element_bytes == 0) return false;
  const MutableBytes changed = ChangeLeaf(bench, array.elements, array.elements.size() + 32);
  const std::size_t count = changed.size() / array.element_bytes;
  return Join(bench, *entry, array, count, changed.first(count * array.element_bytes), {});
}

}  // namespace ggufgate::mutate
