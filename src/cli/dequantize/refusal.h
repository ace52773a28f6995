#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "gate/reading/input.h"

namespace ggufgate {

// RefusedFor gives the exit code when the file is not to be decoded, and says why. Either byte
// order will do: we can read both.
[[nodiscard]] std::optional<int> RefusedFor(const Input& input, const std::string& path,
                                            bool despite_findings, const Streams& streams);

}  // namespace ggufgate
