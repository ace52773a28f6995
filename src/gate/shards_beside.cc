#include "gate/shards_beside.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "format/shard_name.h"
#include "gate/shard_sets.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

// IsThere returns true unless the file is missing. After another error the verdict will be
// undecided.
bool IsThere(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

// PlaceOf returns the same text for each spelling of a file's folder.
std::string PlaceOf(const std::string& path) { return FolderOf(path) + FileNameIn(path); }

class SetsOfFirst {
 public:
  SetsOfFirst(const std::vector<std::string>& excluded, FoundFiles& found)
      : excluded_(excluded), found_(found) {
    for (const std::string& path : found.files) {
      if (ShardIn(path)) places_.insert(PlaceOf(path));
    }
  }

  void Find() {
    const std::vector<std::string> files = std::exchange(found_.files, {});
    const std::vector<bool> searched = std::exchange(found_.searched, {});
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string& path = files.at(i);
      const std::string file_name = FileNameIn(path);
      const std::optional<ShardName> name = ParseShardName(file_name);
      const bool first = !searched.at(i) && ShardIn(path) && name->number == 1 && name->count > 1 &&
                         MayLookFor(path, name->count);
      Add(path, searched.at(i) || first);
      if (first) AddOthers(path, *name);
    }
  }

 private:
  static bool ShardIn(const std::string& path) {
    return !IsRemote(path) && ParseShardName(FileNameIn(path)).has_value();
  }

  void Add(const std::string& path, bool searched) {
    found_.files.push_back(path);
    found_.searched.push_back(searched);
  }

  bool MayLookFor(const std::string& first, std::uint32_t count) {
    if (count <= names_left_) {
      names_left_ -= count;
      return true;
    }
    found_.problems.push_back(
        {first, absl::ResourceExhaustedError(
                    "the other shards of its set were not searched: there are too many")});
    return false;
  }

  void AddOthers(const std::string& first, const ShardName& name) {
    const std::string folder = first.substr(0, first.size() - FileNameIn(first).size());
    const std::string place = FolderOf(first);
    for (std::uint32_t number = 2; number <= name.count; ++number) {
      const std::string file =
          FileNameOf({.stem = name.stem, .number = number, .count = name.count});
      const std::string path = folder + file;
      if (!IsThere(path) || !places_.insert(place + file).second) continue;
      if (IsExcluded(path, excluded_)) {
        found_.Skip({.path = path, .why = "it is excluded"});
      } else {
        Add(path, /*searched=*/true);
      }
    }
  }

  const std::vector<std::string>& excluded_;
  FoundFiles& found_;
  std::set<std::string> places_;  // of all existing shards
  std::uint64_t names_left_ = SearchLimits{}.names;
};

}  // namespace

void FindShardsBeside(const std::vector<std::string>& excluded, FoundFiles& found) {
  SetsOfFirst(excluded, found).Find();
}

}  // namespace ggufgate
