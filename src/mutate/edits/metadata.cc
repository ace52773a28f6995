// Edits of metadata records: new ones, their keys and types. Their values: mutate/edits/values.cc.

#include <algorithm>
#include <array>
#include <utility>

#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/build/values.h"
#include "mutate/edits/leaf.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Lengths at which loaders' buffers and limits end.
constexpr std::size_t kName = kLongestNameOfLlamaCpp;
constexpr std::size_t kKey = Limits{}.key_bytes;
constexpr std::array<std::size_t, 14> kKeyLengths = {
    1,   2,   kName - 1, kName, kName + 1, kName + 2, 127,
    128, 255, 256,       4095,  kKey - 1,  kKey,      kKey + 1};

Entry* AnyScalar(MutationContext& context) {
  return AnyOf(context.draft.entries, context.random,
               [](const Entry& entry) { return SizeOfScalar(entry.type) > 0; });
}

// IsArray is true for arrays with elements of a fixed size.
bool IsArray(const Entry& entry, Encoding encoding) {
  const std::optional<ArrayValue> array = ArrayOf(entry, encoding);
  return array && array->element_bytes > 0;
}

}  // namespace

bool EditAddEntry(MutationContext& context) {
  const ValueType type = AnyScalarType(context.random);
  const std::string_view key = MakeKey(context);
  return AddEntry(context, key, type, MakeScalar(context, type));
}

bool EditAddString(MutationContext& context) {
  const std::string_view text = MakeWord(context, context.random.Below(33));
  const std::string_view key = MakeKey(context);
  return AddEntry(context, key, ValueType::kString, PutString(context.arena, text));
}

bool EditAddArray(MutationContext& context) {
  const ValueType element =
      context.random.OneIn(4) ? ValueType::kString : AnyScalarType(context.random);
  const std::size_t count = context.random.Below(context.random.OneIn(4) ? 65 : 9);
  const std::string_view key = MakeKey(context);
  return AddEntry(context, key, ValueType::kArray, MakeArray(context, element, count));
}

bool EditAddKnown(MutationContext& context) {
  const KeyInfo& info = context.random.Pick(AllKeys());
  ValueType type{};
  const Bytes value = MakeShape(context, info.shape, type);
  return AddEntry(context, MakeKnownKey(context, info), type, value);
}

bool EditAddMistyped(MutationContext& context) {
  const std::string_view key = MakeKnownKey(context, context.random.Pick(AllKeys()));
  const ValueType type = AnyScalarType(context.random);
  if (context.random.OneIn(2)) return AddEntry(context, key, type, MakeScalar(context, type));
  return AddEntry(context, key, ValueType::kArray,
                  MakeArray(context, type, context.random.Below(5)));
}

bool EditReplaceKnown(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  const KeyInfo& info = context.random.Pick(AllKeys());
  ValueType type{};
  const std::string_view key = MakeKnownKey(context, info);
  const Bytes value = MakeShape(context, info.shape, type);
  if (key.empty() || value.empty()) return false;
  *entry = {.key = key, .type = static_cast<std::uint32_t>(type), .value = value};
  return true;
}

bool EditRetype(MutationContext& context) {
  Entry* entry = AnyScalar(context);
  if (entry == nullptr) return false;
  const ValueType type = AnyScalarType(context.random);
  if (static_cast<std::uint32_t>(type) == entry->type) return false;
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
  entry->type = static_cast<std::uint32_t>(type);
  return true;
}

bool EditRetypeElements(MutationContext& context) {
  const Encoding encoding = context.draft.encoding;
  Entry* entry = AnyOf(context.draft.entries, context.random,
                       [&](const Entry& any) { return IsArray(any, encoding); });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  const ValueType type = AnyScalarType(context.random);
  if (type == array.element) return false;
  const std::uint64_t count = array.elements.size() / InfoOf(type).scalar_bytes;
  const Bytes value =
      PutArray(context.arena, type, count, array.elements.first(count * InfoOf(type).scalar_bytes));
  if (value.empty()) return false;
  entry->value = value;
  return true;
}

bool EditScalarToArray(MutationContext& context) {
  Entry* entry = AnyScalar(context);
  if (entry == nullptr || entry->value.size() != SizeOfScalar(entry->type)) return false;
  const Bytes value = PutArray(context.arena, ValueType{entry->type}, 1, entry->value);
  if (value.empty()) return false;
  entry->type = static_cast<std::uint32_t>(ValueType::kArray);
  entry->value = value;
  return true;
}

bool EditArrayToScalar(MutationContext& context) {
  const Encoding encoding = context.draft.encoding;
  Entry* entry = AnyOf(context.draft.entries, context.random,
                       [&](const Entry& any) { return IsArray(any, encoding); });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  if (array.count == 0) return false;
  entry->type = static_cast<std::uint32_t>(array.element);
  entry->value = array.elements.subspan(context.random.Below(array.count) * array.element_bytes,
                                        array.element_bytes);
  return true;
}

bool EditRename(MutationContext& context) {
  Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  const std::string_view key = context.random.OneIn(2)
                                   ? MakeKey(context)
                                   : MakeKnownKey(context, context.random.Pick(AllKeys()));
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
  const std::string_view key = MakeWord(context, size);
  if (key.empty()) return false;
  entry->key = key;
  return true;
}

bool EditSwapKeys(MutationContext& context) {
  FixedVector<Entry>& entries = context.draft.entries;
  if (entries.size() < 2) return false;
  const std::size_t a = context.random.Below(entries.size());
  const std::size_t b = (a + context.random.Between(1, entries.size() - 1)) % entries.size();
  std::swap(entries[a].key, entries[b].key);
  return true;
}

bool EditCopyEntry(MutationContext& context) {
  const Entry* entry = AnyOf(context.draft.entries, context.random);
  if (entry == nullptr) return false;
  const Entry copy = *entry;
  const std::string_view key = MakeKey(context);
  return AddEntry(context, key, ValueType{copy.type}, copy.value);
}

}  // namespace ggufgate::mutate
