#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// ExpectGolden compares lines, in any order, with those of a file of tests/ that is maintained by
// hand. Lines in only one of them fail the test and are printed. In the file, '#' begins a comment,
// and several blanks count as one.
void ExpectGolden(const std::string& path, std::vector<std::string> lines);

// GoldenLines reads such a file: sorted, without comments and empty lines.
[[nodiscard]] std::vector<std::string> GoldenLines(const std::string& path);

}  // namespace ggufgate::testing
