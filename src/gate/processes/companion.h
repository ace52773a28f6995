#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ggufgate {

// FindCompanion looks for a program of ours in the folder F of this one, and in
// F/../libexec/ggufgate; never in $PATH. Without /proc nobody knows where this
// program is, and so where that one would be: nullopt.
[[nodiscard]] std::optional<std::string> FindCompanion(std::string_view program);

}  // namespace ggufgate
