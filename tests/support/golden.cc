#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace ggufgate::testing {
namespace {

// Tidied returns the words of a line with one blank between them.
std::string Tidied(const std::string& line) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string tidied;
  for (std::string word; words >> word;) tidied += (tidied.empty() ? "" : " ") + word;
  return tidied;
}

}  // namespace

std::vector<std::string> GoldenLines(const std::string& path) {
  std::ifstream file(std::string(GGUFGATE_SOURCE_DIR "/tests/") + path);
  EXPECT_TRUE(file.is_open()) << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (std::string tidied = Tidied(line); !tidied.empty()) lines.push_back(std::move(tidied));
  }
  std::ranges::sort(lines);
  return lines;
}

void ExpectGolden(const std::string& path, std::vector<std::string> lines) {
  const std::vector<std::string> golden = GoldenLines(path);
  EXPECT_FALSE(golden.empty()) << path;
  for (std::string& line : lines) line = Tidied(line);
  std::ranges::sort(lines);
  std::vector<std::string> missing;
  std::vector<std::string> extra;
  std::ranges::set_difference(golden, lines, std::back_inserter(missing));
  std::ranges::set_difference(lines, golden, std::back_inserter(extra));
  for (const std::string& line : missing) ADD_FAILURE() << "only in tests/" << path << ": " << line;
  for (const std::string& line : extra) ADD_FAILURE() << "not in tests/" << path << ": " << line;
}

}  // namespace ggufgate::testing
