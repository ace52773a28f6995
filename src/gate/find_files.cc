#include "gate/find_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gate/reading/descriptor.h"
#include "gate/reading/model_marks.h"

namespace ggufgate {
namespace {

// HasFolder notes in `error` why the system does not tell.
bool HasFolder(int in, const char* name, int& error) {
  struct stat status = {};
  if (::fstatat(in, name, &status, AT_SYMLINK_NOFOLLOW) == 0) return S_ISDIR(status.st_mode);
  if (errno != ENOENT && errno != ENOTDIR) error = errno;
  return false;
}

// Folder is one that is being read.
class Folder {
 public:
  // An errno when it cannot be: of a link to a folder too, unless it is followed.
  static std::optional<Folder> Open(int in, const char* name, bool follow) {
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW);
    const int descriptor = ::openat(in, name, flags);
    if (descriptor < 0) return std::nullopt;
    DIR* const stream = ::fdopendir(descriptor);
    if (stream == nullptr) {
      ::close(descriptor);
      return std::nullopt;
    }
    return Folder(stream);
  }

  [[nodiscard]] int descriptor() const { return ::dirfd(stream_.get()); }

  // Next gives the next name but "." and ".."; nullptr at the end, and with errno when it fails.
  [[nodiscard]] const dirent* Next() const {
    while (true) {
      errno = 0;
      const dirent* const entry = ::readdir(stream_.get());
      if (entry == nullptr) return nullptr;
      const std::string_view name(&entry->d_name[0]);
      if (name != "." && name != "..") return entry;
    }
  }

 private:
  struct Close {
    void operator()(DIR* stream) const { ::closedir(stream); }
  };
  explicit Folder(DIR* stream) : stream_(stream) {}
  std::unique_ptr<DIR, Close> stream_;
};

// HoldsBlobs tells whether a folder has names that Ollama gives to blobs: other programs have
// folders called blobs as well.
bool HoldsBlobs(int in, int& error) {
  const std::optional<Folder> blobs = Folder::Open(in, "blobs", /*follow=*/false);
  if (!blobs) {
    error = errno;
    return false;
  }
  while (const dirent* const entry = blobs->Next()) {
    if (IsNamedLikeABlob(&entry->d_name[0])) return true;
  }
  if (errno != 0) error = errno;
  return false;
}

bool IsOllamaStore(int folder, int& error) {
  if (!HasFolder(folder, "blobs", error)) return false;
  if (HasFolder(folder, "manifests/registry.ollama.ai", error)) return true;
  const bool manifests =
      HasFolder(folder, "manifests", error) || HasFolder(folder, "manifests-v2", error);
  return manifests && HoldsBlobs(folder, error);
}

bool IsHuggingFaceRepository(int folder, std::string_view name, int& error) {
  return name.starts_with("models--") && HasFolder(folder, "snapshots", error) &&
         HasFolder(folder, "blobs", error);
}

bool IsOfOllama(std::string_view name) {
  return name == "blobs" || name == "manifests" || name == "manifests-v2";
}

// Search goes through a folder and those in it, as deep as it may.
class Search {
 public:
  Search(const SearchLimits& limits, const std::vector<std::string>& excluded, FoundFiles& found)
      : limits_(limits), excluded_(excluded), found_(found) {}

  void Through(const std::string& folder) {
    inside_.clear();
    path_ = folder;
    if (!Enter(AT_FDCWD, folder.c_str(), /*follow=*/true)) return;
    while (!levels_.empty() && !full_) {
      if (!Step()) Leave();
    }
    levels_.clear();
    std::ranges::sort(inside_);
    std::ranges::move(inside_, std::back_inserter(found_.files));
    found_.searched.resize(found_.files.size(), true);
  }

  // Exclude passes over a path that was named.
  void Exclude(const std::string& path) {
    path_ = path;
    Skip(kExcluded, path);
  }

 private:
  static constexpr std::string_view kExcluded = "it is excluded";

  struct Level {
    Folder folder;
    std::size_t path_size;  // of path_, to which a name in this folder is put
    bool ollama;            // it is a store of Ollama's
  };

  bool Enter(int in, const char* name, bool follow) {
    if (levels_.size() == limits_.depth) {
      return Problem(absl::ResourceExhaustedError(absl::StrCat(
          "it is not searched: folders are nested more than ", limits_.depth, " deep")));
    }
    std::optional<Folder> folder = Folder::Open(in, name, follow);
    if (!folder) return Problem(absl::ErrnoToStatus(errno, "cannot search the folder"));
    const std::optional<bool> ollama = NoticeStore(*folder);
    if (!ollama) return false;
    levels_.push_back({.folder = *std::move(folder), .path_size = path_.size(), .ollama = *ollama});
    return true;
  }

  // NoticeStore tells whether a folder is a store of Ollama's; nothing where it is not to be
  // searched: it is one of Hugging Face's, or nobody can tell.
  std::optional<bool> NoticeStore(const Folder& folder) {
    if (!limits_.stores) return false;
    int error = 0;
    const bool ollama = IsOllamaStore(folder.descriptor(), error);
    const bool repository = IsHuggingFaceRepository(folder.descriptor(), LastPart(path_), error);
    if (error != 0) {
      Problem(absl::ErrnoToStatus(error, "cannot see whether it is a store of models"));
      return std::nullopt;
    }
    if (ollama) found_.stores.push_back({path_, FoundFiles::Store::Kind::kOllama});
    if (!repository) return ollama;
    found_.stores.push_back({path_, FoundFiles::Store::Kind::kHuggingFace});
    return std::nullopt;
  }

  static std::string_view LastPart(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);  // of no slash: the whole
  }

  void Leave() { levels_.pop_back(); }

  // Step takes the next name of the innermost folder; false when there is none.
  bool Step() {
    const Level& level = levels_.back();
    path_.resize(level.path_size);
    const dirent* const entry = level.folder.Next();
    if (entry == nullptr) {
      if (errno != 0) Problem(absl::ErrnoToStatus(errno, "cannot search the folder"));
      return false;
    }
    if (++names_ > limits_.names) {
      full_ = true;
      return Problem(
          absl::ResourceExhaustedError(absl::StrCat("its search was stopped at ", limits_.names,
                                                    " names; check the folders in it one by one")));
    }
    if (!path_.ends_with('/')) path_ += '/';
    path_ += &entry->d_name[0];
    Take(level.folder.descriptor(), &entry->d_name[0]);
    return true;
  }

  void Take(int folder, const char* name) {
    if (IsExcluded(path_, excluded_)) return Skip(kExcluded, name);
    struct stat itself = {};
    struct stat target = {};
    const bool there = ::fstatat(folder, name, &itself, AT_SYMLINK_NOFOLLOW) == 0;
    if (!there && !IsNone(errno)) return CannotLookAt(errno, name);
    if (there && S_ISDIR(itself.st_mode)) {
      if (levels_.back().ollama && IsOfOllama(name)) return;
      Enter(folder, name, /*follow=*/false);
      return;
    }
    const bool leads = ::fstatat(folder, name, &target, 0) == 0;
    if (!leads && !IsNone(errno)) return CannotLookAt(errno, name);
    if (leads && S_ISDIR(target.st_mode)) return Skip("a link to a folder", name);
    if (IsNamedGguf(name)) return inside_.push_back(path_);
    const absl::StatusOr<bool> begins = BeginsWithMagic(folder, name);
    if (!begins.ok()) {
      Problem(begins.status());
    } else if (*begins) {
      inside_.push_back(path_);
    } else {
      Skip("it does not begin with GGUF", name);
    }
  }

  // What is there may be a folder full of models. By its name, it is judged: the verdict will say
  // more.
  void CannotLookAt(int error, std::string_view name) {
    if (IsNamedGguf(name)) return inside_.push_back(path_);
    Problem(absl::ErrnoToStatus(error, "cannot examine it"));
  }

  void Skip(std::string_view why, std::string_view name) {
    found_.Skip(
        {.path = path_, .why = why, .suspicious = IsNamedLikeABlob(name) && why != kExcluded});
  }

  bool Problem(absl::Status status) {
    found_.problems.push_back({path_, std::move(status)});
    return false;
  }

  const SearchLimits& limits_;
  const std::vector<std::string>& excluded_;
  FoundFiles& found_;
  std::vector<Level> levels_;
  std::string path_;  // of what is looked at
  std::vector<std::string> inside_;
  std::uint64_t names_ = 0;
  bool full_ = false;
};

bool IsFolder(const std::string& path) {
  struct stat status = {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

void FoundFiles::Skip(Skipped what) {
  ++skipped_count;
  if (skipped.size() >= kMostSkippedListed) {
    if (!what.suspicious || skipped.back().suspicious) return;
    skipped.pop_back();
  }
  const auto place = std::ranges::find(skipped, false, &Skipped::suspicious);
  skipped.insert(what.suspicious ? place : skipped.end(), std::move(what));
}

bool IsExcluded(const std::string& path, const std::vector<std::string>& patterns) {
  std::string whole = path;
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  const std::string name = whole.substr(whole.rfind('/') + 1);  // all of it where there is none
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    const bool of_paths = pattern.find('/') != std::string::npos;
    return ::fnmatch(pattern.c_str(), of_paths ? whole.c_str() : name.c_str(), 0) == 0;
  });
}

FoundFiles FindFiles(const std::vector<std::string>& paths, const SearchLimits& limits,
                     const std::vector<std::string>& excluded) {
  FoundFiles found;
  Search search(limits, excluded, found);
  for (const std::string& path : paths) {
    if (IsExcluded(path, excluded)) {
      search.Exclude(path);
    } else if (IsFolder(path)) {
      search.Through(path);
    } else {
      found.files.push_back(path);
      found.searched.push_back(false);
    }
  }
  return found;
}

}  // namespace ggufgate
