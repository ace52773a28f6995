#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "parse/document.h"

namespace ggufgate {

// ShownValue is a metadata value for a comparison: shortened and escaped.
struct ShownValue {
  std::string words;  // empty if there is no value
  nlohmann::ordered_json json = nullptr;
};

// ShownValues returns the values of a key in two files; nullptr means that a file lacks the key.
// For long texts and for arrays it begins at the first difference, because two chat templates often
// begin alike.
[[nodiscard]] std::pair<ShownValue, ShownValue> ShownValues(const Document& from_document,
                                                            const MetadataEntry* from,
                                                            const Document& to_document,
                                                            const MetadataEntry* to);

}  // namespace ggufgate
