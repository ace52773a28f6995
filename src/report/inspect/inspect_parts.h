#pragma once

// The parts of `inspect --format json`. They use only the standard library and the JSON library,
// because the JavaScript module contains them too.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "parse/document.h"
#include "parse/regions.h"

namespace ggufgate {

// HeaderJson returns the header, and how far reading got.
[[nodiscard]] nlohmann::ordered_json HeaderJson(const Document& document);
// KeyJson returns one key. An array is limited to its first `most` elements.
[[nodiscard]] nlohmann::ordered_json KeyJson(const Document& document, const MetadataEntry& entry,
                                             std::uint64_t most);
[[nodiscard]] nlohmann::ordered_json TensorJson(const Document& document, const TensorInfo& tensor);
// RegionJson returns one of Regions(document).
[[nodiscard]] nlohmann::ordered_json RegionJson(const Document& document, const Region& region);

}  // namespace ggufgate
