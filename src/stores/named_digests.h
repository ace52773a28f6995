#pragma once

// Files that are named by their SHA-256, wherever they lie: in a store, beside it, or behind a
// link.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/policy.h"
#include "gate/find_files.h"
#include "gate/judge.h"
#include "stores/model_store.h"

namespace ggufgate {

// NamedDigests are what the names of files say of their content: their own, and those that links on
// the way to them have. The files of stores are left out: StoreReports compares these.
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
