#pragma once

// Folders of a search, and the signs that a folder is a store of models.

#include <dirent.h>

#include <memory>
#include <optional>
#include <string_view>

namespace ggufgate {

// SearchedFolder is a folder that is being read.
class SearchedFolder {
 public:
  // Open returns nullopt and sets errno if the folder cannot be opened. A link to a folder opens
  // only if `follow` is set.
  [[nodiscard]] static std::optional<SearchedFolder> Open(int in, const char* name, bool follow);

  [[nodiscard]] int descriptor() const { return ::dirfd(stream_.get()); }

  // Next returns the next name except "." and "..". It returns nullptr at the end, and sets errno
  // if it fails.
  [[nodiscard]] const dirent* Next() const;

 private:
  struct Close {
    void operator()(DIR* stream) const { ::closedir(stream); }
  };
  explicit SearchedFolder(DIR* stream) : stream_(stream) {}
  std::unique_ptr<DIR, Close> stream_;
};

// StoreMarks tells which kinds of store a folder is. A folder may be of both kinds.
struct StoreMarks {
  bool ollama = false;
  bool hugging_face = false;  // one repository

  [[nodiscard]] bool any() const { return ollama || hugging_face; }
  // KeepsBlobsIn and KeepsNamesIn are true for folders that stores/list_stores.h lists.
  [[nodiscard]] bool KeepsBlobsIn(std::string_view name) const { return any() && name == "blobs"; }
  [[nodiscard]] bool KeepsNamesIn(std::string_view name) const {
    return (ollama && (name == "manifests" || name == "manifests-v2")) ||
           (hugging_face && name == "snapshots");
  }
};

// MarksOf returns the kinds of store of a folder with this name. It sets `error` to an errno if it
// cannot find out.
[[nodiscard]] StoreMarks MarksOf(int folder, std::string_view name, int& error);

// HasManifests is true for a store of Ollama, regardless of its other files.
[[nodiscard]] bool HasManifests(int folder, int& error);

// HasSnapshots is true for a repository of Hugging Face under any name.
[[nodiscard]] bool HasSnapshots(int folder, int& error);

}  // namespace ggufgate
