#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/find_files.h"
#include "stores/model_store.h"
#include "stores/store_folder.h"

namespace ggufgate {

// IsSha256 tells of 64 digits in lower case.
[[nodiscard]] bool IsSha256(std::string_view hex);

// DigestIn is the SHA-256 that a file is named by, "sha256-…", "sha256:…" or the digits alone, in
// lower case; empty where it is named by something else.
[[nodiscard]] std::string DigestIn(std::string_view name);

// Blobs is the folder in which a store keeps files by their digest. Each that a layer names is put
// into the list of files once, whoever else names it.
class Blobs {
 public:
  // Both outlive it; `folder` is what the store has.
  Blobs(StoreFolder folder, std::vector<std::string> names, FoundFiles& found, ModelStores& stores);

  // Place says of a layer which file it is, by layer.blob: or that it is missing, or why nobody can
  // judge it.
  void Place(StoreLayer& layer);

  // Has tells whether there is such a name.
  [[nodiscard]] bool Has(std::string_view name) { return Find(name) != nullptr; }

  // PassOver says that something names a blob that is no model.
  void PassOver(std::string_view name);

  // TakeRest judges those that no layer names and that begin as models do, or are named *.gguf, by
  // their path. It lists other files as skipped, and leaves folders to FindFiles.
  void TakeRest();

  [[nodiscard]] const StoreFolder& folder() const { return folder_; }

 private:
  struct Known {
    std::string name;
    bool named = false;               // by a model, or by something that is none
    std::optional<std::size_t> file;  // once it is in the list
  };

  Known* Find(std::string_view name);
  [[nodiscard]] absl::StatusOr<bool> LooksLikeAModel(const std::string& name,
                                                     StoreFolder::Kind kind) const;

  StoreFolder folder_;
  std::vector<Known> known_;  // sorted by name
  FoundFiles& found_;
  ModelStores& stores_;
};

// AddFile puts a file into the list.
std::size_t AddFile(const std::string& path, bool gguf, FoundFiles& found, ModelStores& stores);

}  // namespace ggufgate
