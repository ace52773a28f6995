#include "gate/processes/companion.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

std::string FolderOfThisProgram() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view text(path.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return std::string(text.substr(0, text.rfind('/') + 1));
}

}  // namespace

std::optional<std::string> FindCompanion(std::string_view program) {
  const std::string folder = FolderOfThisProgram();
  if (!folder.starts_with('/')) return std::nullopt;
  for (const std::string_view place : {"", "../libexec/ggufgate/"}) {
    std::string path = absl::StrCat(folder, std::string(place), std::string(program));
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

}  // namespace ggufgate
