// The main program of a target without an engine: it runs the target once for each named file, and
// for each file below a named folder. The exit code is 2 if there is no file.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/oracles/plain_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  const std::vector<std::string> files = ggufgate::testing::FilesOf(paths);
  std::size_t unread = 0;
  for (const std::string& path : files) {
    std::vector<std::uint8_t> bytes;
    if (ggufgate::testing::ReadWhole(path, bytes)) {
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    } else {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      ++unread;
    }
  }
  std::printf("%zu inputs\n", files.size() - unread);
  return files.empty() || unread > 0 ? 2 : 0;
}
