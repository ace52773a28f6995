#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_order.h"
#include "format/key.h"
#include "format/value_type.h"
#include "mutate/file/draft.h"
#include "parse/integer.h"

namespace ggufgate::mutate {

// What the value of a repaired entry says: little-endian, whole, of a type that exists.

inline constexpr std::size_t kArrayHead = 12;  // element type and count, in front of the elements
inline constexpr std::size_t kStringHead = 8;  // length

[[nodiscard]] constexpr bool Is(const Entry& entry, ValueType type) {
  return entry.type == static_cast<std::uint32_t>(type);
}
[[nodiscard]] inline bool IsArrayOf(const Entry& entry, ValueType element) {
  return Is(entry, ValueType::kArray) && Load<std::uint32_t>(entry.value, ByteOrder::kLittle) ==
                                             static_cast<std::uint32_t>(element);
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

// TextOf is the text of a string, nothing for other types.
[[nodiscard]] inline std::optional<std::string_view> TextOf(const Entry& entry) {
  if (!Is(entry, ValueType::kString)) return std::nullopt;
  return AsText(entry.value.subspan(kStringHead));
}

// IntegerOf is the value of a scalar of an integer type, nothing for other types; UnsignedOf is
// nothing for negative ones too.
[[nodiscard]] std::optional<Integer> IntegerOf(const Entry& entry);
[[nodiscard]] std::optional<std::uint64_t> UnsignedOf(const Entry& entry);

// HasShape tells whether an entry's type is of the shape. Counts and values are not looked at.
[[nodiscard]] bool HasShape(const Entry& entry, KeyShape shape);

// Strings walks over the elements of an array of strings.
class Strings {
 public:
  explicit Strings(Bytes elements) : rest_(elements) {}

  // Next is the next string; only while there is one.
  [[nodiscard]] bool More() const { return rest_.size() >= kStringHead; }
  [[nodiscard]] std::string_view Next() {
    const auto size = Load<std::uint64_t>(rest_, ByteOrder::kLittle);
    const std::string_view text = AsText(rest_.subspan(kStringHead, size));
    rest_ = rest_.subspan(kStringHead + size);
    return text;
  }

 private:
  Bytes rest_;
};

}  // namespace ggufgate::mutate
