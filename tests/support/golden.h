#pragma once

#include <string>
#include <vector>

namespace ggufgate::testing {

// ExpectGolden holds lines, in any order, against those of a file of tests/ that a person keeps:
// what is in one of them alone fails the test and is printed. In the file a '#' begins a comment,
// and blanks count as one.
void ExpectGolden(const std::string& path, std::vector<std::string> lines);

// GoldenLines reads such a file: sorted, without comments and what is then empty.
[[nodiscard]] std::vector<std::string> GoldenLines(const std::string& path);

}  // namespace ggufgate::testing
