#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ggufgate {

// FindCompanion looks for a program of ours beside this one, and in the folder libexec/ggufgate
// beside the folder that this one lies in; never in $PATH. Without /proc nobody knows where this
// program is, and so where that one would be: nullopt.
[[nodiscard]] std::optional<std::string> FindCompanion(std::string_view program);

}  // namespace ggufgate
