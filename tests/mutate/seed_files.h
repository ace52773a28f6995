#pragma once

// Inputs of the mutator's tests.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mutate/mutator.h"

namespace ggufgate::mutate {

using File = std::vector<std::uint8_t>;

inline constexpr std::array kModes = {Mode::kConsistent, Mode::kOneLie, Mode::kSemi,  Mode::kRaw,
                                      Mode::kGenerate,   Mode::kMixed,  Mode::kReduce};

// FilesIn returns the requested files below a folder, sorted by path.
template <typename Wanted>
std::vector<File> FilesIn(const std::string& folder, Wanted wanted) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && wanted(entry)) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<File> files;
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return files;
}

// CorpusFiles returns all files of the corpus up to `most_bytes`, sorted by path.
inline std::vector<File> CorpusFiles(std::size_t most_bytes = SIZE_MAX) {
  return FilesIn(GGUFGATE_SOURCE_DIR "/corpus", [&](const std::filesystem::directory_entry& entry) {
    return entry.path().extension() == ".gguf" && entry.file_size() <= most_bytes;
  });
}

// Rounds returns the number of rounds of a test's loop: the given number in a release build. It
// returns fewer if rounds are slow (no optimisation, sanitizers), or if another compiler runs the
// same test.
constexpr std::uint64_t Rounds(std::uint64_t in_release) {
#if defined(NDEBUG) && defined(GGUFGATE_QUICK_TESTS)
  return in_release / 10 + 1;
#elif defined(NDEBUG)
  return in_release;
#else
  return in_release / 50 + 1;
#endif
}

}  // namespace ggufgate::mutate
