#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "parse/document.h"

namespace ggufgate {

// JsonOfValue is a metadata value: numbers as numbers (NaN and infinities, which JSON has not, as
// the words "NaN", "Infinity", "-Infinity"), strings escaped, arrays with at most `most` elements.
[[nodiscard]] nlohmann::ordered_json JsonOfValue(const Document& document,
                                                 const MetadataEntry& entry, std::uint64_t most);

// JsonOfElements is the same of an array that holds no arrays, from element `first` on.
[[nodiscard]] nlohmann::ordered_json JsonOfElements(const Document& document,
                                                    const MetadataEntry& entry, std::uint64_t first,
                                                    std::uint64_t most);

// TextOfValue is a metadata value on one line, cut to about `width` characters.
[[nodiscard]] std::string TextOfValue(const Document& document, const MetadataEntry& entry,
                                      std::size_t width);

// CutText keeps the first `width` characters of escaped text, whole ones, and puts "…" behind what
// was longer.
[[nodiscard]] std::string CutText(std::string text, std::size_t width);

// TypeWordOf names the type of a value: "u32", "string × 32,000".
[[nodiscard]] std::string TypeWordOf(const MetadataEntry& entry);

}  // namespace ggufgate
