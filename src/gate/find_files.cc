#include "gate/find_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "bytes/bytes.h"
#include "bytes/file_source.h"
#include "format/tensors/layout.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

bool IsNamedGguf(std::string_view name) {
  constexpr std::string_view kExtension = ".gguf";
  if (name.size() <= kExtension.size()) return false;  // ".gguf" is a name without an extension
  return std::ranges::equal(
      name.substr(name.size() - kExtension.size()), kExtension,
      [](char c, char wanted) { return (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == wanted; });
}

// Ollama keeps models so, and their templates and licences too.
bool IsNamedLikeABlob(std::string_view name) {
  return name.starts_with("sha256-") || name.starts_with("sha256:");
}

// IsNone tells whether an errno of a name means that no file can be opened by it: it is gone, it is
// a link that leads nowhere, or a socket. Any other may hide a model.
bool IsNone(int error) { return error == ENOENT || error == ELOOP || error == ENXIO; }

// BeginsWithMagic opens what may be a pipe that nobody writes to, or a device.
absl::StatusOr<bool> BeginsWithMagic(int folder, const char* name) {
  constexpr const char* kCannot = "cannot tell whether it is a model";
  const Descriptor file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.valid() && IsNone(errno)) return false;
  struct stat status = {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno, kCannot);
  }
  if (!S_ISREG(status.st_mode)) return false;
  std::array<std::uint8_t, kMagic.size()> head{};
  const FileSource source(file.get(), static_cast<std::uint64_t>(status.st_size));
  const ReadOutcome read = source.ReadAt(0, head);
  if (read.kind == ReadOutcome::Kind::kFailed) {
    return absl::ErrnoToStatus(read.error_number, kCannot);
  }
  return read.complete() && AsText(head) == kMagic;
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

// Search goes through a folder and those in it, as deep as it may.
class Search {
 public:
  Search(const SearchLimits& limits, FoundFiles& found) : limits_(limits), found_(found) {}

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

 private:
  struct Level {
    Folder folder;
    std::size_t path_size;  // of path_, to which a name in this folder is put
  };

  bool Enter(int in, const char* name, bool follow) {
    if (levels_.size() == limits_.depth) {
      return Problem(absl::ResourceExhaustedError(absl::StrFormat(
          "it is not searched: folders are nested more than %u deep", limits_.depth)));
    }
    std::optional<Folder> folder = Folder::Open(in, name, follow);
    if (!folder) return Problem(absl::ErrnoToStatus(errno, "cannot search the folder"));
    levels_.push_back({.folder = *std::move(folder), .path_size = path_.size()});
    return true;
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
      return Problem(absl::ResourceExhaustedError(
          absl::StrFormat("its search was stopped at %u names; check the folders in it one by one",
                          limits_.names)));
    }
    if (!path_.ends_with('/')) path_ += '/';
    path_ += &entry->d_name[0];
    Take(level.folder.descriptor(), &entry->d_name[0]);
    return true;
  }

  void Take(int folder, const char* name) {
    struct stat itself = {};
    struct stat target = {};
    const bool there = ::fstatat(folder, name, &itself, AT_SYMLINK_NOFOLLOW) == 0;
    if (!there && !IsNone(errno)) return CannotLookAt(errno, name);
    if (there && S_ISDIR(itself.st_mode)) {
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
    ++found_.skipped_count;
    std::vector<FoundFiles::Skipped>& list = found_.skipped;
    const bool suspicious = IsNamedLikeABlob(name);
    if (list.size() >= FoundFiles::kMostSkippedListed) {
      if (!suspicious || list.back().suspicious) return;
      list.pop_back();
    }
    const auto place = std::ranges::find(list, false, &FoundFiles::Skipped::suspicious);
    list.insert(suspicious ? place : list.end(),
                {.path = path_, .why = why, .suspicious = suspicious});
  }

  bool Problem(absl::Status status) {
    found_.problems.push_back({path_, std::move(status)});
    return false;
  }

  const SearchLimits& limits_;
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

FoundFiles FindFiles(const std::vector<std::string>& paths, const SearchLimits& limits) {
  FoundFiles found;
  Search search(limits, found);
  for (const std::string& path : paths) {
    if (IsFolder(path)) {
      search.Through(path);
    } else {
      found.files.push_back(path);
      found.searched.push_back(false);
    }
  }
  return found;
}

}  // namespace ggufgate
