#include "gate/find_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "bytes/bytes.h"
#include "format/layout.h"
#include "gate/input.h"

namespace ggufgate {
namespace {

namespace fs = std::filesystem;

absl::Status StatusOf(const std::error_code& error) {
  return absl::ErrnoToStatus(error.value(), "cannot search the folder");
}

bool IsNamedGguf(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension == ".gguf";
}

// IsCandidate is true for what a search reports: by name, be it a link to nowhere or no file at
// all, or by its first bytes.
bool IsCandidate(const fs::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_directory(ignored)) return false;
  if (IsNamedGguf(entry.path())) return true;
  if (!entry.is_regular_file(ignored)) return false;
  const absl::StatusOr<Input> input = Input::Open(entry.path().string());
  if (!input.ok()) return false;
  std::array<std::uint8_t, kMagic.size()> head{};
  return input->source().size() >= head.size() && input->source().ReadAt(0, head).complete() &&
         AsText(head) == kMagic;
}

void SearchFolder(const std::string& folder, FoundFiles& found) {
  std::error_code error;
  std::vector<std::string> inside;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (IsCandidate(*entry)) inside.push_back(entry->path().string());
  }
  if (error) found.problems.push_back({folder, StatusOf(error)});
  std::ranges::sort(inside);
  std::ranges::move(inside, std::back_inserter(found.files));
  found.searched.resize(found.files.size(), true);
}

}  // namespace

FoundFiles FindFiles(const std::vector<std::string>& paths) {
  FoundFiles found;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path != "-" && fs::is_directory(path, ignored)) {
      SearchFolder(path, found);
    } else {
      found.files.push_back(path);
      found.searched.push_back(false);
    }
  }
  return found;
}

}  // namespace ggufgate
