#pragma once

#include <string>

#include "gate/file_verdict.h"

namespace ggufgate {

// FileLine summarises a checked file: "llama 1.2B, Q4_K mostly, 147 tensors, 807 MB, weights not
// checked". The last part tells how much of the data was checked, because an ok for only the
// header, or for one of several shards, must not be mistaken for more. Text from the file is
// escaped.
[[nodiscard]] std::string FileLine(const FileVerdict& file);

}  // namespace ggufgate
