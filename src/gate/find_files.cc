#include "gate/find_files.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gate/reading/looks_like_model.h"
#include "gate/searched_folder.h"

namespace ggufgate {
namespace {

// Search searches a folder and its subfolders within the limits.
class Search {
 public:
  Search(const SearchLimits& limits, const std::vector<std::string>& excluded, FoundFiles& found)
      : limits_(limits), excluded_(excluded), found_(found) {}

  // Through searches a folder. `as` is the kind of store that the user has named.
  void Through(const std::string& folder, std::optional<FoundFiles::Store::Kind> as = {}) {
    inside_.clear();
    path_ = folder;
    const std::size_t stores = found_.stores.size();
    if (!Enter(AT_FDCWD, folder.c_str(), {.follow = true, .as = as})) return;
    while (!levels_.empty() && !full_) {
      if (!Step()) Leave();
    }
    levels_.clear();
    std::ranges::sort(inside_);
    std::ranges::move(inside_, std::back_inserter(found_.files));
    found_.searched.resize(found_.files.size(), true);
    // Sorts the stores of one folder by path, like the files, because a system lists them in any
    // order.
    const auto first = found_.stores.begin() + static_cast<std::ptrdiff_t>(stores);
    std::ranges::sort(first, found_.stores.end(), {}, [](const FoundFiles::Store& store) {
      return std::tuple(std::string_view(store.path), store.kind);
    });
  }

  // Exclude skips a path that was named.
  void Exclude(const std::string& path) {
    path_ = path;
    Skip(kExcluded, path);
  }

 private:
  static constexpr std::string_view kExcluded = "it is excluded";

  struct Level {
    SearchedFolder folder;
    std::size_t path_size;  // length of path_ without the name in this folder
    StoreMarks store;
    bool blobs;    // the `blobs` of a store, which lists its files
    bool notices;  // the folder .no_exist of a repository, or a folder in it
  };
  // Entry tells how to enter a folder.
  struct Entry {
    bool follow = false;
    std::optional<FoundFiles::Store::Kind> as = {};
    bool blobs = false;
    bool notices = false;
  };

  bool Enter(int in, const char* name, const Entry& how) {
    if (levels_.size() == limits_.depth) {
      return Problem(absl::ResourceExhaustedError(absl::StrCat(
          "it is not searched: folders are nested more than ", limits_.depth, " deep")));
    }
    std::optional<SearchedFolder> folder = SearchedFolder::Open(in, name, how.follow);
    if (!folder) return Problem(absl::ErrnoToStatus(errno, "cannot search the folder"));
    const std::optional<StoreMarks> store = NoticeStore(*folder, how.as);
    if (!store) return false;
    levels_.push_back({.folder = *std::move(folder),
                       .path_size = path_.size(),
                       .store = *store,
                       .blobs = how.blobs,
                       .notices = how.notices});
    return true;
  }

  // NoticeStore returns the kinds of store of a folder. It returns nullopt if it cannot find out:
  // then the folder is not searched.
  std::optional<StoreMarks> NoticeStore(const SearchedFolder& folder,
                                        std::optional<FoundFiles::Store::Kind> as) {
    using Kind = FoundFiles::Store::Kind;
    if (!limits_.stores) return StoreMarks();
    int error = 0;
    StoreMarks marks = MarksOf(folder.descriptor(), LastPart(path_), error);
    if (as == Kind::kOllama && HasManifests(folder.descriptor(), error)) marks.ollama = true;
    if (as == Kind::kHuggingFace && HasSnapshots(folder.descriptor(), error)) {
      marks.hugging_face = true;
    }
    if (error != 0) {
      Problem(absl::ErrnoToStatus(error, "cannot find out whether it is a store of models"));
      return std::nullopt;
    }
    if (marks.ollama) found_.stores.push_back({path_, Kind::kOllama});
    if (marks.hugging_face) found_.stores.push_back({path_, Kind::kHuggingFace});
    return marks;
  }

  static std::string_view LastPart(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);  // without a slash: the whole path
  }

  void Leave() { levels_.pop_back(); }

  // Step handles the next name of the innermost folder. It returns false if there is none.
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
    const bool in_blobs = levels_.back().blobs;
    struct stat itself = {};
    struct stat target = {};
    const bool there = ::fstatat(folder, name, &itself, AT_SYMLINK_NOFOLLOW) == 0;
    const int error = there ? 0 : errno;
    if (in_blobs && there && !S_ISDIR(itself.st_mode)) return;  // the store lists it
    if (IsExcluded(path_, excluded_)) return Skip(kExcluded, name);
    if (!there && !IsNone(error)) return CannotLookAt(error, name);
    if (there && S_ISDIR(itself.st_mode)) return TakeFolder(folder, name);
    const StoreMarks& store = levels_.back().store;
    // The store reports that it follows no links.
    if (there && (store.KeepsNamesIn(name) || store.KeepsBlobsIn(name))) return;
    const bool leads = ::fstatat(folder, name, &target, 0) == 0;
    if (!leads && !IsNone(errno)) return CannotLookAt(errno, name);
    if (leads && S_ISDIR(target.st_mode)) return Skip("a link to a folder", name);
    if (levels_.back().notices && leads && S_ISREG(target.st_mode) && target.st_size == 0) {
      return Skip("it notes that the server has no such file", name);
    }
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

  void TakeFolder(int folder, const char* name) {
    const Level& level = levels_.back();
    if (level.store.KeepsNamesIn(name)) return;  // the store lists its files
    const bool notices =
        level.notices || (level.store.hugging_face && std::string_view(name) == ".no_exist");
    Enter(folder, name, {.blobs = level.store.KeepsBlobsIn(name), .notices = notices});
  }

  // The name may be a folder full of models. A name *.gguf is checked as a file: the verdict will
  // give the reason.
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
  std::string path_;  // the path being examined
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
  const std::string name = whole.substr(whole.rfind('/') + 1);  // without a slash: the whole
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

void FindStore(const FoundFiles::Store& asked, const std::vector<std::string>& excluded,
               FoundFiles& found) {
  const SearchLimits limits = {.stores = true};
  Search search(limits, excluded, found);
  if (IsExcluded(asked.path, excluded)) {
    search.Exclude(asked.path);
  } else {
    search.Through(asked.path, asked.kind);
  }
}

}  // namespace ggufgate
