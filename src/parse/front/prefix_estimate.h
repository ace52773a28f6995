#pragma once

#include <cstdint>

#include "parse/document.h"

namespace ggufgate {

// EstimatePrefix guesses how long the metadata and the tensor directory are of which a prefix was
// parsed, `document`, that ended before they did: from the strings of the array that it ends in,
// and from the records that are still to come. At least a sixteenth more than the prefix has, at
// most eight times as much, whatever the file says; never too much by far: where another read costs
// a request, and a byte its time, both are to be few.
[[nodiscard]] std::uint64_t EstimatePrefix(const Document& document);

}  // namespace ggufgate
