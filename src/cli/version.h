#pragma once

#include <string>

namespace ggufgate {

// VersionText is what --version says: "ggufgate" and its version on the first line, and below it
// whatever somebody needs who asks why two machines disagree.
[[nodiscard]] std::string VersionText();

}  // namespace ggufgate
