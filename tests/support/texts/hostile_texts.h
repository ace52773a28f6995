#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// Texts with which a malicious file, or its name, may attack a terminal, a person, or a program.
[[nodiscard]] const std::vector<std::string>& HostileTexts();

}  // namespace ggufgate::testing
