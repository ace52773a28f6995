// The program around a target when no engine is linked: runs it once for each file named, and for
// each file below each folder named. Exit code 2 when there is no file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> FilesOf(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

// Replay runs the target on a file; false when the file cannot be read.
bool Replay(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> some(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(some.data(), 1, some.size(), file)) {
    bytes.insert(bytes.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  const bool whole = std::ferror(file) == 0;
  std::fclose(file);
  if (whole) LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  return whole;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> files = FilesOf(std::vector<std::string>(argv + 1, argv + argc));
  int unread = 0;
  for (const std::string& path : files) {
    if (Replay(path)) continue;
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    ++unread;
  }
  std::printf("%zu inputs\n", files.size() - static_cast<std::size_t>(unread));
  return files.empty() || unread > 0 ? 2 : 0;
}
