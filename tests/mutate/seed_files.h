#pragma once

// Input files for the tests of the mutator.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "mutate/mutator.h"

namespace ggufgate::mutate {

using File = std::vector<std::uint8_t>;

inline constexpr std::array kModes = {Mode::kConsistent, Mode::kOneLie, Mode::kSemi,  Mode::kRaw,
                                      Mode::kGenerate,   Mode::kMixed,  Mode::kReduce};

// FilesIn returns the selected files below a folder, sorted by path.
template <typename Wanted>
std::vector<File> FilesIn(const std::string& folder, Wanted wanted) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && wanted(entry)) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<File> files;
  for (const std::string& path : paths) {
    File& file = files.emplace_back(std::filesystem::file_size(path));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(file.data()), static_cast<std::streamsize>(file.size()));
  }
  return files;
}

// CorpusFiles returns all files of the corpus up to `most_bytes`, sorted by path.
inline std::vector<File> CorpusFiles(std::size_t most_bytes = SIZE_MAX) {
  static const std::vector<File> kAll =
      FilesIn(GGUFGATE_SOURCE_DIR "/corpus", [](const std::filesystem::directory_entry& entry) {
        return entry.path().extension() == ".gguf";
      });
  std::vector<File> files;
  for (const File& file : kAll) {
    if (file.size() <= most_bytes) files.push_back(file);
  }
  return files;
}

// Rounds returns how often a loop of a test runs: the stated number in a release. It is less if
// every round is slow (no optimisation, sanitizers), or repeats a test of another compiler.
constexpr std::uint64_t Rounds(std::uint64_t in_release) {
#if defined(NDEBUG) && defined(GGUFGATE_QUICK_TESTS)
  return in_release / 10 + 1;
#elif defined(NDEBUG)
  return in_release;
#else
  return in_release / 70 + 1;
#endif
}

}  // namespace ggufgate::mutate
