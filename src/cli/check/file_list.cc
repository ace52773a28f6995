#include "cli/check/file_list.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_format.h"
#include "gate/find_files.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

constexpr std::size_t kMostMebibytes = 64;
constexpr std::size_t kMostPaths = SearchLimits{}.names;  // the same limit as for folders

absl::StatusOr<std::string> ReadAll(int descriptor) {
  constexpr std::size_t kAtOnce = 65'536;
  constexpr std::size_t kMostBytes = kMostMebibytes << 20;
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + kAtOnce);
    const ssize_t got = ::read(descriptor, &text.at(before), kAtOnce);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::ErrnoToStatus(errno, "cannot read the list");
    if (got == 0) return text;
    if (text.size() > kMostBytes) {
      return absl::ResourceExhaustedError(
          absl::StrFormat("the list is larger than %u MiB", kMostMebibytes));
    }
  }
}

absl::StatusOr<std::vector<std::string>> PathsIn(std::string_view text, bool by_nul) {
  std::vector<std::string> paths;
  while (!text.empty()) {
    const std::string_view path = text.substr(0, text.find(by_nul ? '\0' : '\n'));
    text.remove_prefix(std::min(path.size() + 1, text.size()));
    if (path.empty()) continue;
    if (path.find('\0') != std::string_view::npos) {
      return absl::InvalidArgumentError(
          "a line of the list contains a NUL; use --null for such lists");
    }
    if (paths.size() == kMostPaths) {
      return absl::ResourceExhaustedError(
          absl::StrFormat("the list has more than %u paths", kMostPaths));
    }
    paths.emplace_back(path == "-" ? "./-" : path);
  }
  return paths;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadFileList(const std::string& path, bool by_nul) {
  const bool standard_input = path == "-";
  Descriptor file;
  if (!standard_input) {
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.valid()) return absl::ErrnoToStatus(errno, "cannot open the list");
  }
  const absl::StatusOr<std::string> text = ReadAll(standard_input ? STDIN_FILENO : file.get());
  if (!text.ok()) return text.status();
  return PathsIn(*text, by_nul);
}

}  // namespace ggufgate
