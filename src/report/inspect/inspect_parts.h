#pragma once

// What `inspect --format json` says of a file, part by part. The standard library and the JSON
// library suffice it: the module for JavaScript has it, too.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "parse/document.h"
#include "parse/regions.h"

namespace ggufgate {

// HeaderJson is what the header says, and how far reading came.
[[nodiscard]] nlohmann::ordered_json HeaderJson(const Document& document);
// KeyJson is one key; of an array the first `most` elements.
[[nodiscard]] nlohmann::ordered_json KeyJson(const Document& document, const MetadataEntry& entry,
                                             std::uint64_t most);
[[nodiscard]] nlohmann::ordered_json TensorJson(const Document& document, const TensorInfo& tensor);
// RegionJson is one of Regions(document).
[[nodiscard]] nlohmann::ordered_json RegionJson(const Document& document, const Region& region);

}  // namespace ggufgate
