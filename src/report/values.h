#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "parse/document.h"

namespace ggufgate {

// JsonOfValue returns a metadata value. Numbers are numbers. NaN and infinities, which JSON lacks,
// are the words "NaN", "Infinity", "-Infinity". Strings are escaped, and arrays have at most `most`
// elements.
[[nodiscard]] nlohmann::ordered_json JsonOfValue(const Document& document,
                                                 const MetadataEntry& entry, std::uint64_t most);

// JsonOfElements does the same for an array without inner arrays, from element `first` on.
[[nodiscard]] nlohmann::ordered_json JsonOfElements(const Document& document,
                                                    const MetadataEntry& entry, std::uint64_t first,
                                                    std::uint64_t most);

// TextOfValue returns a metadata value on one line, cut to about `width` characters.
[[nodiscard]] std::string TextOfValue(const Document& document, const MetadataEntry& entry,
                                      std::size_t width);

// CutText keeps the first `width` characters of escaped text, without splitting an escape. It adds
// "…" if the text was longer.
[[nodiscard]] std::string CutText(std::string text, std::size_t width);

// TypeWordOf returns the type of a value: "u32", "string × 32,000".
[[nodiscard]] std::string TypeWordOf(const MetadataEntry& entry);

}  // namespace ggufgate
