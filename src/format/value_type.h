#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// ValueType is the type of a metadata value, with its number in the file.
enum class ValueType : std::uint32_t {
#define GGUFGATE_VALUE_TYPE(name, id, word, bytes) k##name = id,
#include "format/value_types.def"
#undef GGUFGATE_VALUE_TYPE
};

struct ValueTypeInfo {
  ValueType type;
  std::string_view word;       // as printed: "u32"
  std::uint32_t scalar_bytes;  // 0 for strings and arrays
};

// kValueTypes lists the types; the index is the number. It is in this header so that an access,
// which every value of a file needs, is a load and not a call.
inline constexpr std::array kValueTypes = {
#define GGUFGATE_VALUE_TYPE(name, id, word, bytes) ValueTypeInfo{ValueType::k##name, word, bytes},
#include "format/value_types.def"
#undef GGUFGATE_VALUE_TYPE
};

// ScalarBytes returns the size of a scalar; 0 for strings, arrays and unknown types.
[[nodiscard]] constexpr std::size_t ScalarBytes(std::uint32_t id) {
  return id < kValueTypes.size() ? kValueTypes[id].scalar_bytes : 0;
}

// IdOf returns the number of a type in the file.
[[nodiscard]] constexpr std::uint32_t IdOf(ValueType type) {
  return static_cast<std::uint32_t>(type);
}

// FindValueType finds a type by its number in the file; nullptr if the specification has no such
// type.
[[nodiscard]] constexpr const ValueTypeInfo* FindValueType(std::uint32_t id) {
  return id < kValueTypes.size() ? &kValueTypes[id] : nullptr;
}

// FindValueTypeNamed finds a type by its name, such as "u32", or returns nullptr.
const ValueTypeInfo* FindValueTypeNamed(std::string_view word);

// InfoOf describes a type, which must be valid.
[[nodiscard]] constexpr const ValueTypeInfo& InfoOf(ValueType type) {
  return kValueTypes.at(static_cast<std::size_t>(type));
}

// MinimumBytes returns the least size of an array element of this type in a file of version 2 or 3:
// a string has at least its length (8), an array its element type and count (12).
std::uint64_t MinimumBytes(ValueType type);

// IsInteger is true for the eight integer types, but not for bool.
bool IsInteger(ValueType type);

}  // namespace ggufgate
