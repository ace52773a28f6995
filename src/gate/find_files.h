#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace ggufgate {

// FoundFiles are the files that a list of paths stands for.
struct FoundFiles {
  struct Problem {
    std::string path;
    absl::Status status;
  };
  // Skipped is what a search passed over.
  struct Skipped {
    std::string path;
    std::string_view why;
    bool suspicious = false;  // it has the name of a model's blob (sha256-…)
  };
  static constexpr std::size_t kMostSkippedListed = 1000;
  // Store is a folder in which programs keep models under names of their own.
  struct Store {
    enum class Kind : std::uint8_t {
      kOllama,       // manifests and blobs
      kHuggingFace,  // one repository: models--OWNER--NAME, datasets--…, spaces--…
    };
    std::string path;
    Kind kind = Kind::kOllama;
  };

  std::vector<std::string> files;  // in the order given; inside a folder sorted by path
  std::vector<bool> searched;      // by file: what lies next to it was looked for, too
  std::vector<Problem> problems;   // folders that could not be read to the end
  std::uint64_t skipped_count = 0;
  std::vector<Skipped> skipped;  // the first of them, and before them the suspicious ones
  std::vector<Store> stores;     // found and not searched, where that was asked for

  // Skip counts and lists what was passed over.
  void Skip(Skipped what);
};

// SearchLimits bound what a search of folders takes: memory grows with them and nothing else.
struct SearchLimits {
  std::size_t depth = 64;           // folders inside each other; model caches have six
  std::uint64_t names = 1'000'000;  // in all folders together
  bool stores = false;  // model stores are noticed; what they keep is left to the caller to list
};

// IsExcluded tells whether one of the patterns, as fnmatch(3) has them, matches: one with a slash
// the whole path, any other the last name in it.
[[nodiscard]] bool IsExcluded(const std::string& path, const std::vector<std::string>& patterns);

// FindFiles keeps files and "-" as they are and searches folders, all the way down, for files that
// begin with the magic, whatever their name, and for files named *.gguf, whatever they begin with
// (a broken download is to be reported, not overlooked).
//
// Links to files are followed, as model caches are made of them; links to folders are not, so that
// the search ends: they and what is no model are listed as skipped. What is named *.gguf and is no
// folder counts as found, even when it cannot be opened (a link to nowhere, a pipe): its verdict
// will be undecided. A folder beyond the limits is a problem, and the rest is searched.
//
// Where stores are noticed, the search leaves out manifests, snapshots and the files in `blobs`:
// the store lists these. It searches all other files and folders of the store. What is excluded
// counts as skipped, named or found; a folder that is excluded is not searched.
//
// Folders are opened one inside the other, never by a path that somebody may turn meanwhile.
[[nodiscard]] FoundFiles FindFiles(const std::vector<std::string>& paths,
                                   const SearchLimits& limits = {},
                                   const std::vector<std::string>& excluded = {});

// FindStore searches a folder that the user calls a store, as FindFiles does: it adds the store,
// any stores inside it, and all other files. A folder of Hugging Face is a cache or one repository.
void FindStore(const FoundFiles::Store& asked, const std::vector<std::string>& excluded,
               FoundFiles& found);

}  // namespace ggufgate
