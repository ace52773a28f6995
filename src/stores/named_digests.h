#pragma once

// Files outside of stores whose name, or whose link's target, is a SHA-256.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/policy.h"
#include "gate/file_report.h"
#include "gate/find_files.h"
#include "stores/model_store.h"

namespace ggufgate {

// NamedDigests holds the SHA-256 in the names of files and of their links' targets. It excludes the
// files of stores, because StoreReports compares these.
class NamedDigests {
 public:
  NamedDigests() = default;
  // Reads the targets of links, but opens no file.
  NamedDigests(const FoundFiles& found, const ModelStores& stores);

  // Has tells whether the digest of a file is needed.
  [[nodiscard]] bool Has(std::size_t file) const { return names_.contains(file); }

  // Compare compares the digest of a file with its names, and tells whether it did. An accepted
  // file that cannot be compared becomes undecided.
  bool Compare(std::size_t file, const Policy& policy, FileReport& report) const;

 private:
  struct Names {
    std::vector<std::string> digests;
    bool unknown = false;  // the target of a link is unknown

    [[nodiscard]] bool any() const { return unknown || !digests.empty(); }
    void Add(std::string_view name);
  };

  static Names NamesOf(std::string path);

  std::map<std::size_t, Names> names_;  // by file
};

}  // namespace ggufgate
