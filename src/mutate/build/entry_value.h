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

// Functions that read the value of an entry. Unless stated otherwise, they require a repaired
// draft: values are little-endian with counts of 8 bytes, complete, and of known types.

inline constexpr std::size_t kArrayHead = 12;  // element type and count, before the elements
inline constexpr std::size_t kStringHead = 8;  // length

// Is and IsArray accept any draft.
[[nodiscard]] constexpr bool Is(const Entry& entry, ValueType type) {
  return entry.type == IdOf(type);
}
[[nodiscard]] constexpr bool IsArray(const Entry& entry) {
  return Is(entry, ValueType::kArray) && entry.value.size() >= kArrayHead;
}

// ElementTypeOf, CountOf and ElementsOf require an array.
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

// TextOf returns the text of a string in any draft; nullopt for other types.
[[nodiscard]] inline std::optional<std::string_view> TextOf(const Entry& entry) {
  if (!Is(entry, ValueType::kString) || entry.value.size() < kStringHead) return std::nullopt;
  return AsText(entry.value.subspan(kStringHead));
}

// IntegerOf returns the value of a scalar of an integer type; nullopt for other types. UnsignedOf
// also returns nullopt for negative values.
[[nodiscard]] inline std::optional<Integer> IntegerOf(const Entry& entry) {
  return LoadInteger(ValueType{entry.type}, entry.value, ByteOrder::kLittle);
}
[[nodiscard]] inline std::optional<std::uint64_t> UnsignedOf(const Entry& entry) {
  const std::optional<Integer> integer = IntegerOf(entry);
  return integer ? integer->Unsigned() : std::nullopt;
}

// HasShape returns whether an entry's type fits the shape. It ignores counts and values.
[[nodiscard]] inline bool HasShape(const Entry& entry, KeyShape shape) {
  return HasShape(ValueType{entry.type}, IsArray(entry) ? ElementTypeOf(entry) : ValueType::kU8,
                  shape);
}

struct ArrayParts {
  ValueType element = ValueType::kU8;
  std::uint64_t count = 0;
  std::size_t element_bytes = 0;  // 0: strings, which are not checked
  Bytes elements;
};
// PartsOf splits an array of any draft; nullopt unless it is a complete array of numbers, or an
// array of strings.
[[nodiscard]] std::optional<ArrayParts> PartsOf(const Entry& entry);

}  // namespace ggufgate::mutate
