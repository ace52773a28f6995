#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ggufgate {

// FindCompanion looks for another program of this project in the folder F of this program, and in
// F/../libexec/ggufgate. It never searches $PATH. It returns nullopt if the program is not there,
// or without /proc, because then the folder F is unknown.
[[nodiscard]] std::optional<std::string> FindCompanion(std::string_view program);

}  // namespace ggufgate
