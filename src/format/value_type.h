#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// ValueType is the type of a metadata value, numbered as in the file.
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

// kValueTypes are the types there are; the number of each is its place. They stand here so that
// what asks for them, for every value of a file, is a load and no call.
inline constexpr std::array kValueTypes = {
#define GGUFGATE_VALUE_TYPE(name, id, word, bytes) ValueTypeInfo{ValueType::k##name, word, bytes},
#include "format/value_types.def"
#undef GGUFGATE_VALUE_TYPE
};

// ScalarBytes is the number of bytes of a scalar; 0 for strings, arrays and numbers that are no
// type.
[[nodiscard]] constexpr std::size_t ScalarBytes(std::uint32_t id) {
  return id < kValueTypes.size() ? kValueTypes[id].scalar_bytes : 0;
}

// IdOf is the number of a type in the file.
[[nodiscard]] constexpr std::uint32_t IdOf(ValueType type) {
  return static_cast<std::uint32_t>(type);
}

// FindValueType looks a number of the file up; nullptr when the specification has no such type.
[[nodiscard]] constexpr const ValueTypeInfo* FindValueType(std::uint32_t id) {
  return id < kValueTypes.size() ? &kValueTypes[id] : nullptr;
}

// FindValueTypeNamed looks a word up, as "u32"; nullptr when no type has it.
const ValueTypeInfo* FindValueTypeNamed(std::string_view word);

// InfoOf describes a type that exists.
[[nodiscard]] constexpr const ValueTypeInfo& InfoOf(ValueType type) {
  return kValueTypes.at(static_cast<std::size_t>(type));
}

// MinimumBytes is the least room one array element of this type takes in a version 2 or 3 file:
// a string is at least its length (8), an array at least its element type and count (12).
std::uint64_t MinimumBytes(ValueType type);

// IsInteger is true for the eight integer types; bool is not one of them.
bool IsInteger(ValueType type);

}  // namespace ggufgate
