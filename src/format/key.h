#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "format/value_type.h"

namespace ggufgate {

// KeyShape is the allowed type of a known key: key_shapes.def.
enum class KeyShape : std::uint8_t {
#define GGUFGATE_KEY_SHAPE(name, scalars, elements, words) k##name,
#include "format/key_shapes.def"
#undef GGUFGATE_KEY_SHAPE
};

// WordFor describes a shape for people: "an integer", "an array of f32".
[[nodiscard]] std::string_view WordFor(KeyShape shape);

// HasShape returns whether a value of this type fits the shape. `element` is used only for arrays.
// It ignores counts and values.
[[nodiscard]] bool HasShape(ValueType type, ValueType element, KeyShape shape);

// MayBeArray returns whether the shape allows arrays.
[[nodiscard]] bool MayBeArray(KeyShape shape);

// KeyInfo is one line of keys.def.
struct KeyInfo {
  std::string_view pattern;  // may begin with "{arch}."
  KeyShape shape;
  std::string_view what;
};

// IsPerLayer returns whether an array of this shape has one element per layer.
[[nodiscard]] constexpr bool IsPerLayer(KeyShape shape) {
  return shape == KeyShape::kLayerIntegers || shape == KeyShape::kLayerFloats ||
         shape == KeyShape::kLayerBools;
}

// AllKeys lists the known keys in the order of keys.def.
[[nodiscard]] std::span<const KeyInfo> AllKeys();

// KeyId is the index of a key in AllKeys().
using KeyId = std::uint16_t;
inline constexpr KeyId kUnknownKey = UINT16_MAX;

// FindKey finds a key of a file with this architecture (empty if the file has none); nullptr if it
// is unknown. FindKeyId returns its number, or kUnknownKey. Both take constant time.
[[nodiscard]] const KeyInfo* FindKey(std::string_view key, std::string_view architecture);
[[nodiscard]] KeyId FindKeyId(std::string_view key, std::string_view architecture);

// IsReadByLoaders is true for keys with a text that loaders interpret: it selects the model, the
// tokenizer, the adapter or the projector. Texts of other keys are for people. `architecture` is as
// above.
[[nodiscard]] bool IsReadByLoaders(std::string_view key, std::string_view architecture);

}  // namespace ggufgate
