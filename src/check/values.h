#pragma once

// Values of metadata entries, as the rules about models want them.

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/finding.h"
#include "format/key.h"
#include "parse/document.h"
#include "parse/integer.h"

namespace ggufgate {

// FactOf says a number: as a number, or as text where it is negative.
[[nodiscard]] Fact FactOf(Integer integer);

// HasShape tells whether an entry's type is of the shape. Counts and values are not looked at.
[[nodiscard]] inline bool HasShape(const MetadataEntry& entry, KeyShape shape) {
  return HasShape(entry.type, entry.element_type, shape);
}

// TypeText is the type of a value for people: "u32", "array of string".
[[nodiscard]] std::string TypeText(const MetadataEntry& entry);

// IntegerOf is the value of a scalar of an integer type; FloatOf of an f32; BoolOf of a bool. Each
// is nullopt for other types.
[[nodiscard]] std::optional<Integer> IntegerOf(const Document& document,
                                               const MetadataEntry& entry);
[[nodiscard]] std::optional<float> FloatOf(const Document& document, const MetadataEntry& entry);
[[nodiscard]] std::optional<bool> BoolOf(const Document& document, const MetadataEntry& entry);

// IntegerAt is element `index` of an array of integers; nullopt when the entry is no such
// array, or a shorter one. Takes constant time.
[[nodiscard]] std::optional<Integer> IntegerAt(const Document& document, const MetadataEntry& entry,
                                               std::uint64_t index);

// AsLoadersRead is a text up to its first NUL, where readers in C end it.
[[nodiscard]] inline std::string_view AsLoadersRead(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

// TextOf is the text of a string up to its first NUL, where readers in C end it; nullopt for other
// types. Rules compare this, not the whole, so that no tail leads a word past them; that there is
// more, rule string-nul says.
[[nodiscard]] std::optional<std::string_view> TextOf(const Document& document,
                                                     const MetadataEntry& entry);

// ArchitectureOf is `general.architecture`, empty when it is absent or no string.
[[nodiscard]] std::string_view ArchitectureOf(const Document& document);

}  // namespace ggufgate
