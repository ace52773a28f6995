// Edits of metadata records: new records, keys and types. For values, see mutate/edits/values.cc.

#include <algorithm>
#include <array>
#include <utility>

#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/edits/leaf.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Lengths at the limits of loaders' buffers.
constexpr std::size_t kName = kLongestNameOfLlamaCpp;
constexpr std::size_t kKey = Limits{}.key_bytes;
constexpr std::array<std::size_t, 14> kKeyLengths = {
    1,   2,   kName - 1, kName, kName + 1, kName + 2, 127,
    128, 255, 256,       4095,  kKey - 1,  kKey,      kKey + 1};

Entry* AnyScalar(MutationContext& context) {
  return AnyOf(context.draft.entries, context.random,
               [](const Entry& entry) { return ScalarBytes(entry.type) > 0; });
}

// AnyNumbers returns an array with elements of a fixed size.
Entry* AnyNumbers(MutationContext& context) {
  return AnyArray(context, [](const ArrayParts& array) { return array.element_bytes > 0; });
}

}  // namespace

bool EditAddEntry(MutationContext& context) {
  const ValueType type = AnyScalarType(context.random);
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context, EntryOf(key, type, DrawScalar(context, type)));
}

bool EditAddString(MutationContext& context) {
  const std::string_view text = DrawWord(context, context.random.Below(33));
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context, TextEntry(context.arena, key, text));
}

bool EditAddArray(MutationContext& context) {
  const ValueType element =
      context.random.OneIn(4) ? ValueType::kString : AnyScalarType(context.random);
  const std::size_t count = context.random.Below(context.random.OneIn(4) ? 65 : 9);
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context, EntryOf(key, ValueType::kArray, DrawArray(context, element, count)));
}

bool EditAddKnown(MutationContext& context) {
  const KeyInfo& info = context.random.Pick(AllKeys());
  Entry entry = DrawShape(context, info.shape);
  entry.key = KnownKeyFor(context, info);
  return AddAnywhere(context, entry);
}

bool EditAddMistyped(MutationContext& context) {
  const std::string_view key = KnownKeyFor(context, context.random.Pick(AllKeys()));
  const ValueType type = AnyScalarType(context.random);
  if (context.random.OneIn(2))
    return AddAnywhere(context, EntryOf(key, type, DrawScalar(context, type)));
  return AddAnywhere(
      context, EntryOf(key, ValueType::kArray, DrawArray(context, type, context.random.Below(5))));
}

bool EditReplaceKnown(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  const KeyInfo& info = context.random.Pick(AllKeys());
  const std::string_view key = KnownKeyFor(context, info);
  Entry known = DrawShape(context, info.shape);
  known.key = key;
  if (key.empty() || known.value.empty()) return false;
  *entry = known;
  return true;
}

bool EditRetype(MutationContext& context) {
  Entry* entry = AnyScalar(context);
  if (entry == nullptr) return false;
  const ValueType type = AnyScalarType(context.random);
  if (IdOf(type) == entry->type) return false;
  const std::size_t size = InfoOf(type).scalar_bytes;
  if (entry->value.size() >= size) {
    entry->value = entry->value.first(size);
  } else {
    const MutableBytes wider = context.arena.Take(size);
    if (wider.empty()) return false;
    std::ranges::fill(wider, std::uint8_t{0});
    std::ranges::copy(entry->value, wider.begin());
    entry->value = wider;
  }
  entry->type = IdOf(type);
  return true;
}

bool EditRetypeElements(MutationContext& context) {
  Entry* entry = AnyNumbers(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  const ValueType type = AnyScalarType(context.random);
  if (type == array.element) return false;
  const std::uint64_t count = array.elements.size() / InfoOf(type).scalar_bytes;
  const Bytes elements = array.elements.first(count * InfoOf(type).scalar_bytes);
  return SetValue(*entry, ArrayValue(context.arena, type, count, elements));
}

bool EditScalarToArray(MutationContext& context) {
  Entry* entry = AnyScalar(context);
  if (entry == nullptr || entry->value.size() != ScalarBytes(entry->type)) return false;
  const Bytes value = ArrayValue(context.arena, ValueType{entry->type}, 1, entry->value);
  if (value.empty()) return false;
  entry->type = IdOf(ValueType::kArray);
  entry->value = value;
  return true;
}

bool EditArrayToScalar(MutationContext& context) {
  Entry* entry = AnyNumbers(context);
  if (entry == nullptr) return false;
  const ArrayParts array = *PartsOf(*entry);
  if (array.count == 0) return false;
  entry->type = IdOf(array.element);
  entry->value = array.elements.subspan(context.random.Below(array.count) * array.element_bytes,
                                        array.element_bytes);
  return true;
}

bool EditRename(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  const std::string_view key = context.random.OneIn(2)
                                   ? DrawKey(context)
                                   : KnownKeyFor(context, context.random.Pick(AllKeys()));
  if (key.empty()) return false;
  entry->key = key;
  return true;
}

bool EditKeyBytes(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr || entry->key.empty()) return false;
  const MutableBytes key = context.arena.Copy(AsBytes(entry->key));
  if (key.empty()) return false;
  key[context.random.Below(key.size())] =
      static_cast<std::uint8_t>(context.random.Between(' ', '~'));
  entry->key = AsText(key);
  return true;
}

bool EditKeyLength(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  const std::size_t size = context.random.Pick(kKeyLengths);
  if (entry == nullptr || size > context.room() / 2) return false;
  const std::string_view key = DrawWord(context, size);
  if (key.empty()) return false;
  entry->key = key;
  return true;
}

bool EditSwapKeys(MutationContext& context) {
  return SwapTwo(context.draft.entries, context.random, &Entry::key);
}

bool EditCopyEntry(MutationContext& context) {
  const Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  Entry copy = *entry;
  copy.key = DrawKey(context);
  return AddAnywhere(context, copy);
}

}  // namespace ggufgate::mutate
