#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// KeyShape is what the value of a known key looks like.
enum class KeyShape : std::uint8_t {
  kString,
  kBool,
  kU16,      // u16 and nothing else
  kU32,      // u32 and nothing else
  kI32,      // i32 and nothing else
  kInteger,  // any integer type
  kF32,
  kLayerIntegers,      // an integer, or an array of integers with one for each layer
  kLayerFloats,        // an f32, or an array of f32 with one for each layer
  kLayerBools,         // a bool or an integer, or an array of either with one for each layer
  kOneOrMoreIntegers,  // an integer, or an array of integers of any length
  kIntegers,           // an array of integers of any type
  kI32s,               // an array of i32
  kF32s,               // an array of f32
  kStrings,            // an array of strings
  kBytes,              // an array of u8 or i8
};

// WordFor names a shape for people: "an integer", "an array of f32".
[[nodiscard]] std::string_view WordFor(KeyShape shape);

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

// FindKey looks up the key of a file whose architecture is `architecture` (empty: it names none);
// nullptr when nothing is known of it. Takes time logarithmic in the table.
[[nodiscard]] const KeyInfo* FindKey(std::string_view key, std::string_view architecture);

// IsReadByLoaders is true for keys whose text decides what a loader does: which model the file
// holds, which tokenizer, adapter or projector. What the text of others says, people read.
// `architecture` as above.
[[nodiscard]] bool IsReadByLoaders(std::string_view key, std::string_view architecture);

}  // namespace ggufgate
