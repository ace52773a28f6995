#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "format/value_type.h"

namespace ggufgate {

// KeyShape is what the value of a known key looks like: key_shapes.def.
enum class KeyShape : std::uint8_t {
#define GGUFGATE_KEY_SHAPE(name, scalars, elements, words) k##name,
#include "format/key_shapes.def"
#undef GGUFGATE_KEY_SHAPE
};

// WordFor names a shape for people: "an integer", "an array of f32".
[[nodiscard]] std::string_view WordFor(KeyShape shape);

// HasShape tells whether a value of this type is of the shape; `element` is what an array is of,
// and is not looked at otherwise. Counts and values do not matter.
[[nodiscard]] bool HasShape(ValueType type, ValueType element, KeyShape shape);

// MayBeArray tells whether some array is of this shape.
[[nodiscard]] bool MayBeArray(KeyShape shape);

// KeyInfo is one line of keys.def.
struct KeyInfo {
  std::string_view pattern;  // may begin with "{arch}."
  KeyShape shape;
  std::string_view what;
};

// IsPerLayer tells whether an array of this shape has one element for each layer.
[[nodiscard]] constexpr bool IsPerLayer(KeyShape shape) {
  return shape == KeyShape::kLayerIntegers || shape == KeyShape::kLayerFloats ||
         shape == KeyShape::kLayerBools;
}

// AllKeys lists the known keys in the order of keys.def.
[[nodiscard]] std::span<const KeyInfo> AllKeys();

// KeyId is the number of a key, its place in AllKeys().
using KeyId = std::uint16_t;
inline constexpr KeyId kUnknownKey = UINT16_MAX;

// FindKey looks up the key of a file whose architecture is `architecture` (empty: it names none);
// nullptr when nothing is known of it. FindKeyId gives its number, or kUnknownKey. Both take
// constant time.
[[nodiscard]] const KeyInfo* FindKey(std::string_view key, std::string_view architecture);
[[nodiscard]] KeyId FindKeyId(std::string_view key, std::string_view architecture);

// IsReadByLoaders is true for keys whose text decides what a loader does: which model the file
// holds, which tokenizer, adapter or projector. What the text of others says, people read.
// `architecture` as above.
[[nodiscard]] bool IsReadByLoaders(std::string_view key, std::string_view architecture);

}  // namespace ggufgate
