#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// What a hostile file, or its name, could say to a terminal, a person, or a program.
[[nodiscard]] const std::vector<std::string>& HostileTexts();

}  // namespace ggufgate::testing
