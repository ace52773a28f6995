#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "parse/document.h"

namespace ggufgate {

// ShownValue is a metadata value as a comparison shows it: shortened, and escaped.
struct ShownValue {
  std::string words;  // empty where there is none
  nlohmann::ordered_json json = nullptr;
};

// ShownValues are the values of a key in two files; nullptr where a file has none. Of long texts
// and of arrays they show what stands from the first difference on: two chat templates begin alike.
[[nodiscard]] std::pair<ShownValue, ShownValue> ShownValues(const Document& from_document,
                                                            const MetadataEntry* from,
                                                            const Document& to_document,
                                                            const MetadataEntry* to);

}  // namespace ggufgate
