#pragma once

// Folders that a search goes through, and what marks one as a store of models.

#include <dirent.h>

#include <memory>
#include <optional>
#include <string_view>

namespace ggufgate {

// SearchedFolder is a folder that is being read.
class SearchedFolder {
 public:
  // Open gives nothing, and an errno, when it cannot be opened: a link to a folder cannot unless it
  // is followed.
  [[nodiscard]] static std::optional<SearchedFolder> Open(int in, const char* name, bool follow);

  [[nodiscard]] int descriptor() const { return ::dirfd(stream_.get()); }

  // Next gives the next name but "." and ".."; nullptr at the end, and with errno when it fails.
  [[nodiscard]] const dirent* Next() const;

 private:
  struct Close {
    void operator()(DIR* stream) const { ::closedir(stream); }
  };
  explicit SearchedFolder(DIR* stream) : stream_(stream) {}
  std::unique_ptr<DIR, Close> stream_;
};

// StoreMarks are the kinds of store that a folder is. One that was made to be both is both.
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

// MarksOf looks at a folder of this name; `error` is an errno where the system does not tell.
[[nodiscard]] StoreMarks MarksOf(int folder, std::string_view name, int& error);

// HasManifests is true for a store of Ollama, regardless of its other files.
[[nodiscard]] bool HasManifests(int folder, int& error);

// HasSnapshots is true for a repository of Hugging Face under any name.
[[nodiscard]] bool HasSnapshots(int folder, int& error);

}  // namespace ggufgate
