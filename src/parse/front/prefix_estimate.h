#pragma once

#include <cstdint>

#include "parse/document.h"

namespace ggufgate {

// EstimatePrefix guesses the size of the metadata and the tensor directory. `document` was parsed
// from a prefix that ended too early. The guess uses the strings of the array at its end, and the
// records that are still to come. It is at least a sixteenth more than the prefix, and at most
// eight times as much; no claim of the file changes these bounds. Too small a guess costs another
// request, too large a one the time to fetch bytes in vain.
[[nodiscard]] std::uint64_t EstimatePrefix(const Document& document);

}  // namespace ggufgate
