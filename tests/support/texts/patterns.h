#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ggufgate::testing {

// POSIX extended regular expressions. <regex> would take seconds to compile in each file.

// FindAll returns group number `group` of all matches; group 0 is the match itself. It throws
// std::invalid_argument if the pattern has a fault.
[[nodiscard]] std::vector<std::string> FindAll(const std::string& text, const std::string& pattern,
                                               std::size_t group);

// ReplaceAll replaces all matches by a text.
[[nodiscard]] std::string ReplaceAll(const std::string& text, const std::string& pattern,
                                     const std::string& by);

}  // namespace ggufgate::testing
