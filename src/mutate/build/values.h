#pragma once

// Values that edits put into metadata, made in the arena, little-endian and with words of 8
// bytes. Each is empty when the arena is used up.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/key.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// BoundaryNumber is one at which a type, a limit of a loader or a product ends, or one beside it.
[[nodiscard]] std::uint64_t BoundaryNumber(Random& random);
// FileNumber is a size, place or count of this very file, or one beside it.
[[nodiscard]] std::uint64_t FileNumber(MutationContext& context);
// FloatBits are the bits of a NaN, an infinity, a denormal or another float at a boundary; `size`
// is 4 or 8.
[[nodiscard]] std::uint64_t FloatBits(Random& random, std::size_t size);

// PutNumber gives the lowest `size` bytes (at most 8) of a number.
[[nodiscard]] Bytes PutNumber(Arena& arena, std::uint64_t number, std::size_t size);
// PutString gives a string with its length.
[[nodiscard]] Bytes PutString(Arena& arena, std::string_view text);
// PutArray gives an array of `count` elements, which stand in `elements`.
[[nodiscard]] Bytes PutArray(Arena& arena, ValueType element, std::uint64_t count, Bytes elements);

// MakeWord gives `size` lower-case letters.
[[nodiscard]] std::string_view MakeWord(MutationContext& context, std::size_t size);
// MakeKey gives a new key in the style of those there are.
[[nodiscard]] std::string_view MakeKey(MutationContext& context);
// MakeKnownKey gives the key of a line of keys.def; "{arch}" is what the draft says.
[[nodiscard]] std::string_view MakeKnownKey(MutationContext& context, const KeyInfo& info);

// MakeScalar gives a number or bool: random, at a boundary or tied to the file.
[[nodiscard]] Bytes MakeScalar(MutationContext& context, ValueType type);
// MakeArray gives an array of scalars or short strings.
[[nodiscard]] Bytes MakeArray(MutationContext& context, ValueType element, std::size_t count);
// MakeShape gives an entry's value such as loaders expect of a known key, and its type.
[[nodiscard]] Bytes MakeShape(MutationContext& context, KeyShape shape, ValueType& type);

// AnyScalarType is one of the eleven.
[[nodiscard]] ValueType AnyScalarType(Random& random);

// ArrayValue is an array's value taken apart.
struct ArrayValue {
  ValueType element = ValueType::kU8;
  std::uint64_t count = 0;
  std::size_t element_bytes = 0;  // 0: strings, of which nothing more is promised
  Bytes elements;
};
// ArrayOf takes the value of an entry apart; nothing when it is no whole array of numbers, or no
// array of strings.
[[nodiscard]] std::optional<ArrayValue> ArrayOf(const Entry& entry, Encoding encoding);
// StringOf gives a string's text; nothing when the value is none.
[[nodiscard]] std::optional<std::string_view> StringOf(const Entry& entry, Encoding encoding);
// StringsEnd is the size of the first `count` strings in `strings`; nothing when they are not
// there.
[[nodiscard]] std::optional<std::size_t> StringsEnd(Bytes strings, std::uint64_t count);

// SizeOfScalar is the number of bytes of a scalar; 0 for what is none.
[[nodiscard]] inline std::size_t SizeOfScalar(std::uint32_t type) {
  const ValueTypeInfo* info = FindValueType(type);
  return info == nullptr ? 0 : info->scalar_bytes;
}

// AnyOf gives one of the records for which `wanted` is true; nullptr when there is none. Linear.
template <typename Record, typename Wanted>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random, Wanted wanted) {
  const std::size_t begin = random.Below(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t at = begin + i;
    Record& record = records[at < records.size() ? at : at - records.size()];
    if (wanted(record)) return &record;
  }
  return nullptr;
}
template <typename Record>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random) {
  return records.empty() ? nullptr : &records[random.Below(records.size())];
}

// AddEntry puts a new entry anywhere; false when its key or value could not be made.
bool AddEntry(MutationContext& context, std::string_view key, ValueType type, Bytes value);

}  // namespace ggufgate::mutate
