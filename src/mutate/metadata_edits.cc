// Edits of metadata records: new ones, their keys and types. Their values: value_edits.cc.

#include <algorithm>
#include <array>
#include <utility>

#include "mutate/leaf.h"
#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// Lengths at which loaders' buffers and limits end: GGML_MAX_NAME is 64, a key's length fits 16
// bits.
constexpr std::array<std::size_t, 14> kKeyLengths = {1,   2,   62,  63,   64,    65,    127,
                                                     128, 255, 256, 4095, 65534, 65535, 65536};

Entry* AnyScalar(Bench& bench) {
  return AnyOf(bench.draft.entries, bench.random,
               [](const Entry& entry) { return SizeOfScalar(entry.type) > 0; });
}

// IsArray is true for arrays with elements of a fixed size.
bool IsArray(const Entry& entry, Encoding encoding) {
  const std::optional<ArrayValue> array = ArrayOf(entry, encoding);
  return array && array->element_bytes > 0;
}

}  // namespace

bool EditAddEntry(Bench& bench) {
  const ValueType type = AnyScalarType(bench.random);
  const std::string_view key = MakeKey(bench);
  return AddEntry(bench, key, type, MakeScalar(bench, type));
}

bool EditAddString(Bench& bench) {
  const std::string_view text = MakeWord(bench, bench.random.Below(33));
  const std::string_view key = MakeKey(bench);
  return AddEntry(bench, key, ValueType::kString, PutString(bench.scratch, text));
}

bool EditAddArray(Bench& bench) {
  const ValueType element =
      bench.random.OneIn(4) ? ValueType::kString : AnyScalarType(bench.random);
  const std::size_t count = bench.random.Below(bench.random.OneIn(4) ? 65 : 9);
  const std::string_view key = MakeKey(bench);
  return AddEntry(bench, key, ValueType::kArray, MakeArray(bench, element, count));
}

bool EditAddKnown(Bench& bench) {
  const KeyInfo& info = bench.random.Pick(AllKeys());
  ValueType type{};
  const Bytes value = MakeShape(bench, info.shape, type);
  return AddEntry(bench, MakeKnownKey(bench, info), type, value);
}

bool EditAddMistyped(Bench& bench) {
  const std::string_view key = MakeKnownKey(bench, bench.random.Pick(AllKeys()));
  const ValueType type = AnyScalarType(bench.random);
  if (bench.random.OneIn(2)) return AddEntry(bench, key, type, MakeScalar(bench, type));
  return AddEntry(bench, key, ValueType::kArray, MakeArray(bench, type, bench.random.Below(5)));
}

bool EditReplaceKnown(Bench& bench) {
  Entry* entry = AnyOf(bench.draft.entries, bench.random);
  if (entry == nullptr) return false;
  const KeyInfo& info = bench.random.Pick(AllKeys());
  ValueType type{};
  const std::string_view key = MakeKnownKey(bench, info);
  const Bytes value = MakeShape(bench, info.shape, type);
  if (key.empty() || value.empty()) return false;
  *entry = {.key = key, .type = static_cast<std::uint32_t>(type), .value = value};
  return true;
}

bool EditRetype(Bench& bench) {
  Entry* entry = AnyScalar(bench);
  if (entry == nullptr) return false;
  const ValueType type = AnyScalarType(bench.random);
  if (static_cast<std::uint32_t>(type) == entry->type) return false;
  const std::size_t size = InfoOf(type).scalar_bytes;
  if (entry->value.size() >= size) {
    entry->value = entry->value.first(size);
  } else {
    const MutableBytes wider = bench.scratch.Take(size);
    if (wider.empty()) return false;
    std::ranges::fill(wider, std::uint8_t{0});
    std::ranges::copy(entry->value, wider.begin());
    entry->value = wider;
  }
  entry->type = static_cast<std::uint32_t>(type);
  return true;
}

bool EditRetypeElements(Bench& bench) {
  const Encoding encoding = bench.draft.encoding;
  Entry* entry = AnyOf(bench.draft.entries, bench.random,
                       [&](const Entry& any) { return IsArray(any, encoding); });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  const ValueType type = AnyScalarType(bench.random);
  if (type == array.element) return false;
  const std::uint64_t count = array.elements.size() / InfoOf(type).scalar_bytes;
  const Bytes value =
      PutArray(bench.scratch, type, count, array.elements.first(count * InfoOf(type).scalar_bytes));
  if (value.empty()) return false;
  entry->value = value;
  return true;
}

bool EditScalarToArray(Bench& bench) {
  Entry* entry = AnyScalar(bench);
  if (entry == nullptr || entry->value.size() != SizeOfScalar(entry->type)) return false;
  const Bytes value = PutArray(bench.scratch, ValueType{entry->type}, 1, entry->value);
  if (value.empty()) return false;
  entry->type = static_cast<std::uint32_t>(ValueType::kArray);
  entry->value = value;
  return true;
}

bool EditArrayToScalar(Bench& bench) {
  const Encoding encoding = bench.draft.encoding;
  Entry* entry = AnyOf(bench.draft.entries, bench.random,
                       [&](const Entry& any) { return IsArray(any, encoding); });
  if (entry == nullptr) return false;
  const ArrayValue array = *ArrayOf(*entry, encoding);
  if (array.count == 0) return false;
  entry->type = static_cast<std::uint32_t>(array.element);
  entry->value = array.elements.subspan(bench.random.Below(array.count) * array.element_bytes,
                                        array.element_bytes);
  return true;
}

bool EditRename(Bench& bench) {
  Entry* entry = AnyOf(bench.draft.entries, bench.random);
  if (entry == nullptr) return false;
  const std::string_view key =
      bench.random.OneIn(2) ? MakeKey(bench) : MakeKnownKey(bench, bench.random.Pick(AllKeys()));
  if (key.empty()) return false;
  entry->key = key;
  return true;
}

bool EditKeyBytes(Bench& bench) {
  Entry* entry = AnyOf(bench.draft.entries, bench.random);
  if (entry == nullptr || entry->key.empty()) return false;
  const MutableBytes key = bench.scratch.Copy(AsBytes(entry->key));
  if (key.empty()) return false;
  key[bench.random.Below(key.size())] = static_cast<std::uint8_t>(bench.random.Between(' ', '~'));
  entry->key = AsText(key);
  return true;
}

bool EditKeyLength(Bench& bench) {
  Entry* entry = AnyOf(bench.draft.entries, bench.random);
  const std::size_t size = bench.random.Pick(kKeyLengths);
  if (entry == nullptr || size > bench.room() / 2) return false;
  const std::string_view key = MakeWord(bench, size);
  if (key.empty()) return false;
  entry->key = key;
  return true;
}

bool EditSwapKeys(Bench& bench) {
  Table<Entry>& entries = bench.draft.entries;
  if (entries.size() < 2) return false;
  const std::size_t a = bench.random.Below(entries.size());
  const std::size_t b = (a + bench.random.Between(1, entries.size() - 1)) % entries.size();
  std::swap(entries[a].key, entries[b].key);
  return true;
}

bool EditCopyEntry(Bench& bench) {
  const Entry* entry = AnyOf(bench.draft.entries, bench.random);
  if (entry == nullptr) return false;
  const Entry copy = *entry;
  const std::string_view key = MakeKey(bench);
  return AddEntry(bench, key, ValueType{copy.type}, copy.value);
}

}  // namespace ggufgate::mutate
