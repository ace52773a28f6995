#include "gate/searched_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "gate/reading/looks_like_model.h"

namespace ggufgate {
namespace {

// HasFolder returns true for a link as well. No program makes a link there, so its target is not
// listed, and the store becomes undecided. It sets `error` if the system gives no answer.
bool HasFolder(int in, const char* name, int& error) {
  struct stat status = {};
  if (::fstatat(in, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    return S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode);
  }
  if (errno != ENOENT && errno != ENOTDIR) error = errno;
  return false;
}

// HoldsBlobs tells whether a folder contains blob names of Ollama, because other programs also use
// a folder named blobs.
bool HoldsBlobs(int in, int& error) {
  const std::optional<SearchedFolder> blobs = SearchedFolder::Open(in, "blobs", /*follow=*/true);
  if (!blobs) {
    if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) error = errno;
    return false;
  }
  while (const dirent* const entry = blobs->Next()) {
    if (IsNamedLikeABlob(&entry->d_name[0])) return true;
  }
  if (errno != 0) error = errno;
  return false;
}

}  // namespace

bool HasManifests(int folder, int& error) {
  return HasFolder(folder, "manifests", error) || HasFolder(folder, "manifests-v2", error);
}

namespace {

bool IsOllamaStore(int folder, int& error) {
  if (!HasFolder(folder, "blobs", error)) return false;
  if (HasFolder(folder, "manifests/registry.ollama.ai", error)) return true;
  return HasManifests(folder, error) && HoldsBlobs(folder, error);
}

}  // namespace

std::optional<SearchedFolder> SearchedFolder::Open(int in, const char* name, bool follow) {
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW);
  const int descriptor = ::openat(in, name, flags);
  if (descriptor < 0) return std::nullopt;
  DIR* const stream = ::fdopendir(descriptor);
  if (stream == nullptr) {
    ::close(descriptor);
    return std::nullopt;
  }
  return SearchedFolder(stream);
}

const dirent* SearchedFolder::Next() const {
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(stream_.get());
    if (entry == nullptr) return nullptr;
    const std::string_view name(&entry->d_name[0]);
    if (name != "." && name != "..") return entry;
  }
}

bool HasSnapshots(int folder, int& error) { return HasFolder(folder, "snapshots", error); }

StoreMarks MarksOf(int folder, std::string_view name, int& error) {
  // Source: huggingface_hub, repo_folder_name().
  constexpr std::array<std::string_view, 3> kRepositories = {"models--", "datasets--", "spaces--"};
  const bool named = std::ranges::any_of(
      kRepositories, [&](std::string_view prefix) { return name.starts_with(prefix); });
  const bool ollama = IsOllamaStore(folder, error);
  return {.ollama = ollama, .hugging_face = named && HasSnapshots(folder, error)};
}

}  // namespace ggufgate
