#pragma once

// Values of metadata entries, for the rules about models.

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/finding.h"
#include "format/key.h"
#include "parse/document.h"
#include "parse/integer.h"

namespace ggufgate {

// FactOf returns a number, or text for a negative number.
[[nodiscard]] Fact FactOf(Integer integer);

// HasShape returns whether an entry's type fits the shape. It ignores counts and values.
[[nodiscard]] inline bool HasShape(const MetadataEntry& entry, KeyShape shape) {
  return HasShape(entry.type, entry.element_type, shape);
}

// TypeText returns the type of a value for people: "u32", "array of string".
[[nodiscard]] std::string TypeText(const MetadataEntry& entry);

// IntegerOf returns the value of a scalar of an integer type, FloatOf of an f32, BoolOf of a bool.
// Each returns nullopt for other types.
[[nodiscard]] std::optional<Integer> IntegerOf(const Document& document,
                                               const MetadataEntry& entry);
[[nodiscard]] std::optional<float> FloatOf(const Document& document, const MetadataEntry& entry);
[[nodiscard]] std::optional<bool> BoolOf(const Document& document, const MetadataEntry& entry);

// IntegerAt returns element `index` of an array of integers; nullopt for other types and beyond the
// end. Takes constant time.
[[nodiscard]] std::optional<Integer> IntegerAt(const Document& document, const MetadataEntry& entry,
                                               std::uint64_t index);

// AsLoadersRead returns a text up to its first NUL, as readers in C see it.
[[nodiscard]] inline std::string_view AsLoadersRead(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

// TextOf returns a string up to its first NUL, as readers in C see it; nullopt for other types.
// Rules compare this text, so that a tail after a NUL cannot hide a name from them. Rule string-nul
// reports the NUL.
[[nodiscard]] std::optional<std::string_view> TextOf(const Document& document,
                                                     const MetadataEntry& entry);

// ArchitectureOf returns `general.architecture`; empty if it is absent or not a string.
[[nodiscard]] std::string_view ArchitectureOf(const Document& document);

}  // namespace ggufgate
