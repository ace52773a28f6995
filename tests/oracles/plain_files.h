#pragma once

// Files and folders for programs that run under MemorySanitizer. Half of the code of
// std::filesystem and of streams is in libstdc++.so, which is not instrumented.

#include <dirent.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace ggufgate::testing {

// FilesUnder appends the files below a folder, sorted by name. It returns false if there is no such
// folder. It skips names that begin with a dot, and notes (.md).
inline bool FilesUnder(const std::string& folder, std::vector<std::string>& files) {
  DIR* const stream = ::opendir(folder.c_str());
  if (stream == nullptr) return false;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(stream)) names.emplace_back(&entry->d_name[0]);
  ::closedir(stream);
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (name.starts_with('.') || name.ends_with(".md")) continue;
    const std::string path = folder + "/" + name;
    if (!FilesUnder(path, files)) files.push_back(path);
  }
  return true;
}

// FilesOf returns the paths that are files, and the files below those that are folders.
inline std::vector<std::string> FilesOf(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!FilesUnder(path, files)) files.push_back(path);
  }
  return files;
}

// ReadWhole appends the bytes of a file. It returns false if the file cannot be read completely.
inline bool ReadWhole(const std::string& path, std::vector<std::uint8_t>& bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  std::vector<std::uint8_t> some(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(some.data(), 1, some.size(), file)) {
    bytes.insert(bytes.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  const bool whole = std::ferror(file) == 0;
  std::fclose(file);
  return whole;
}

}  // namespace ggufgate::testing
