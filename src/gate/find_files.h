#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace ggufgate {

// FoundFiles holds the files that a list of paths stands for.
struct FoundFiles {
  struct Problem {
    std::string path;
    absl::Status status;
  };
  // Skipped is a path that a search skipped.
  struct Skipped {
    std::string path;
    std::string_view why;
    bool suspicious = false;  // named like a model's blob (sha256-…)
  };
  static constexpr std::size_t kMostSkippedListed = 1000;
  // Store is a folder in which a program keeps models under its own names.
  struct Store {
    enum class Kind : std::uint8_t {
      kOllama,       // manifests and blobs
      kHuggingFace,  // one repository: models--OWNER--NAME, datasets--…, spaces--…
    };
    std::string path;
    Kind kind = Kind::kOllama;
  };

  std::vector<std::string> files;  // in the order given; sorted by path inside a folder
  std::vector<bool> searched;      // per file: its neighbours were searched for, too
  std::vector<Problem> problems;   // folders that could not be read completely
  std::uint64_t skipped_count = 0;
  std::vector<Skipped> skipped;  // the suspicious ones first; kMostSkippedListed at most
  std::vector<Store> stores;     // found but not searched, if SearchLimits::stores is set

  // Skip counts and lists a skipped path.
  void Skip(Skipped what);
};

// SearchLimits bound a search of folders. Its memory grows only up to these limits.
struct SearchLimits {
  std::size_t depth = 64;           // nested folders; model caches have six levels
  std::uint64_t names = 1'000'000;  // in all folders together
  bool stores = false;              // notices model stores; the caller must list their contents
};

// IsExcluded tells whether a path matches one of the patterns. The syntax is that of fnmatch(3). A
// pattern with a slash applies to the whole path, any other pattern to the last name in it.
[[nodiscard]] bool IsExcluded(const std::string& path, const std::vector<std::string>& patterns);

// FindFiles keeps files and "-" as they are. It searches folders recursively for files that begin
// with the magic, under any name. It also finds files named *.gguf with any contents, so that a
// broken download is reported.
//
// The search follows links to files, because model caches consist of them. It does not follow links
// to folders, so that it always ends. These links, and files that are not models, are listed as
// skipped. A name *.gguf that is not a folder counts as found, even if it cannot be opened (a
// broken link, a pipe): its verdict will be undecided. A folder beyond the limits is a problem; the
// search continues with the rest.
//
// If SearchLimits::stores is set, the search leaves out manifests, snapshots and the files in
// `blobs`, because the store lists these. It searches all other files and folders of the store.
// Excluded paths count as skipped, whether they were named or found; an excluded folder is not
// searched.
//
// Each folder is opened relative to its parent, not by its path, because a path may be changed
// during the search.
[[nodiscard]] FoundFiles FindFiles(const std::vector<std::string>& paths,
                                   const SearchLimits& limits = {},
                                   const std::vector<std::string>& excluded = {});

// FindStore searches a folder that the user calls a store, in the same way as FindFiles. It adds
// the store, any stores inside it, and all other files. A Hugging Face folder is a cache or one
// repository.
void FindStore(const FoundFiles::Store& asked, const std::vector<std::string>& excluded,
               FoundFiles& found);

}  // namespace ggufgate
