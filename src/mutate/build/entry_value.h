#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "format/key.h"
#include "format/strings.h"
#include "format/value_type.h"
#include "mutate/file/draft.h"
#include "parse/integer.h"

namespace ggufgate::mutate {

// What the value of an entry says, where it is little-endian with words of 8 bytes, as in every
// repaired draft. Functions that are not said to be about any draft want a repaired one, whose
// values are whole and of types that exist.

inline constexpr std::size_t kArrayHead = 12;  // element type and count, in front of the elements
inline constexpr std::size_t kStringHead = 8;  // length

// Is and IsArray are about any draft.
[[nodiscard]] constexpr bool Is(const Entry& entry, ValueType type) {
  return entry.type == IdOf(type);
}
[[nodiscard]] constexpr bool IsArray(const Entry& entry) {
  return Is(entry, ValueType::kArray) && entry.value.size() >= kArrayHead;
}

// ElementTypeOf, CountOf and ElementsOf are about arrays.
[[nodiscard]] inline ValueType ElementTypeOf(const Entry& array) {
  return ValueType{Load<std::uint32_t>(array.value, ByteOrder::kLittle)};
}
[[nodiscard]] inline std::uint64_t CountOf(const Entry& array) {
  return Load<std::uint64_t>(array.value.subspan(4), ByteOrder::kLittle);
}
[[nodiscard]] inline Bytes ElementsOf(const Entry& array) {
  return array.value.subspan(kArrayHead);
}
[[nodiscard]] inline bool IsArrayOf(const Entry& entry, ValueType element) {
  return IsArray(entry) && ElementTypeOf(entry) == element;
}

// TextOf is the text of a string in any draft, nullopt for other types.
[[nodiscard]] inline std::optional<std::string_view> TextOf(const Entry& entry) {
  if (!Is(entry, ValueType::kString) || entry.value.size() < kStringHead) return std::nullopt;
  return AsText(entry.value.subspan(kStringHead));
}

// IntegerOf is the value of a scalar of an integer type, nullopt for other types; UnsignedOf is
// nullopt for negative ones too.
[[nodiscard]] inline std::optional<Integer> IntegerOf(const Entry& entry) {
  return LoadInteger(ValueType{entry.type}, entry.value, ByteOrder::kLittle);
}
[[nodiscard]] inline std::optional<std::uint64_t> UnsignedOf(const Entry& entry) {
  const std::optional<Integer> integer = IntegerOf(entry);
  return integer ? integer->Unsigned() : std::nullopt;
}

// HasShape tells whether an entry's type is of the shape. Counts and values are not looked at.
[[nodiscard]] inline bool HasShape(const Entry& entry, KeyShape shape) {
  return HasShape(ValueType{entry.type}, IsArray(entry) ? ElementTypeOf(entry) : ValueType::kU8,
                  shape);
}

// ArrayParts are the parts of an array's value.
struct ArrayParts {
  ValueType element = ValueType::kU8;
  std::uint64_t count = 0;
  std::size_t element_bytes = 0;  // 0: strings, of which nothing more is promised
  Bytes elements;
};
// PartsOf takes an array of any draft apart; nullopt where it is not a whole array of numbers, nor
// an array of strings.
[[nodiscard]] std::optional<ArrayParts> PartsOf(const Entry& entry);

}  // namespace ggufgate::mutate
