#pragma once

#include <string>

namespace ggufgate {

// VersionText returns the output of --version: "ggufgate" and its version in the first line,
// followed by the facts that may explain different results on two machines.
[[nodiscard]] std::string VersionText();

}  // namespace ggufgate
