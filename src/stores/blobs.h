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

// IsSha256 tells whether a text is 64 hexadecimal digits in lower case.
[[nodiscard]] bool IsSha256(std::string_view hex);

// DigestIn returns the SHA-256 in a file name, "sha256-…", "sha256:…" or only the digits, in lower
// case. It returns an empty text for any other name.
[[nodiscard]] std::string DigestIn(std::string_view name);

// Blobs is the folder in which a store keeps files by their digest. It adds each blob that a layer
// names to the list of files, once, even if several layers name it.
class Blobs {
 public:
  // `found` and `stores` must outlive it. `folder` is the folder of blobs, and `names` are the
  // names in it.
  Blobs(StoreFolder folder, std::vector<std::string> names, FoundFiles& found, ModelStores& stores);

  // Place finds the file of a layer by layer.blob. It sets the file, or records that it is missing,
  // or why it cannot be checked.
  void Place(StoreLayer& layer);

  // Has tells whether a name exists.
  [[nodiscard]] bool Has(std::string_view name) { return Find(name) != nullptr; }

  // PassOver records that a blob is named, but is not a model.
  void PassOver(std::string_view name);

  // TakeRest adds the blobs that no layer names, if they begin like models or are named *.gguf,
  // under their paths. It lists other files as skipped, and leaves folders to FindFiles.
  void TakeRest();

  [[nodiscard]] const StoreFolder& folder() const { return folder_; }

 private:
  struct Known {
    std::string name;
    bool named = false;               // by a model or by another file
    std::optional<std::size_t> file;  // set once it is in the list
  };

  Known* Find(std::string_view name);
  [[nodiscard]] absl::StatusOr<bool> LooksLikeAModel(const std::string& name,
                                                     StoreFolder::Kind kind) const;

  StoreFolder folder_;
  std::vector<Known> known_;  // sorted by name
  FoundFiles& found_;
  ModelStores& stores_;
};

// AddFile adds a file to the list and returns its index.
std::size_t AddFile(const std::string& path, bool gguf, FoundFiles& found, ModelStores& stores);

}  // namespace ggufgate
