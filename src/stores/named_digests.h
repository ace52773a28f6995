#pragma once

// Files outside stores whose name, or whose link's target, is a SHA-256.

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

// NamedDigests are the SHA-256 in the names of files and of their links' targets. It leaves out the
// files of stores: StoreReports compares these.
class NamedDigests {
 public:
  NamedDigests() = default;
  // Looks where links lead, and opens nothing.
  NamedDigests(const FoundFiles& found, const ModelStores& stores);

  // Has tells whether a digest of the file is wanted.
  [[nodiscard]] bool Has(std::size_t file) const { return names_.contains(file); }

  // Compare holds the digest of a file against its names, and tells whether it did. An accepted
  // file that cannot be compared becomes undecided.
  bool Compare(std::size_t file, const Policy& policy, FileReport& report) const;

 private:
  struct Names {
    std::vector<std::string> digests;
    bool unknown = false;  // the system does not tell where a link leads

    [[nodiscard]] bool any() const { return unknown || !digests.empty(); }
    void Add(std::string_view name);
  };

  static Names NamesOf(std::string path);

  std::map<std::size_t, Names> names_;  // by file
};

}  // namespace ggufgate
