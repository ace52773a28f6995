#pragma once

#include <cstdint>

#include "parse/document.h"

namespace ggufgate {

// EstimatePrefix estimates the size of the metadata and the tensor directory. `document` was parsed
// from a prefix that is too short. The estimate uses the strings of the array at its end, and the
// number of remaining records. It is at least 1/16 more than the prefix, and at most eight times as
// much; numbers in the file cannot change these bounds. A low estimate costs another request, a
// high one the time to fetch unneeded bytes.
[[nodiscard]] std::uint64_t EstimatePrefix(const Document& document);

}  // namespace ggufgate
