#pragma once

// The contents of model stores: the files to check, and the names for their reports.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/wording.h"

namespace ggufgate {

// LayerKind is the role of a layer in the model.
enum class LayerKind : std::uint8_t {
#define GGUFGATE_LAYER(name, media, word) k##name,
#include "stores/layers.def"
#undef GGUFGATE_LAYER
  kConfig,
  kManifest,  // in a list of manifests: a blob that is a manifest itself
  kOther,
};
inline constexpr std::uint64_t kLayerKinds = static_cast<std::uint64_t>(LayerKind::kOther) + 1;

[[nodiscard]] std::string_view WordFor(LayerKind kind);

// IsGguf tells whether layers of this kind are GGUF files, according to the manifest.
[[nodiscard]] constexpr bool IsGguf(LayerKind kind) {
  return kind == LayerKind::kModel || kind == LayerKind::kProjector || kind == LayerKind::kAdapter;
}

// StoreLayer is a blob that a model needs.
struct StoreLayer {
  LayerKind kind = LayerKind::kOther;
  // The SHA-256 in its name, lower-case hexadecimal; empty: none.
  std::string digest = {};
  std::optional<std::uint64_t> size = {};  // according to the manifest
  std::optional<std::size_t> file = {};    // index into FoundFiles::files; nullopt: missing
  std::string blob = {};                   // its name in the folder of blobs
  std::string obstacle = {};               // why it cannot be checked, although it exists
};

// StoreModel is a model with one of its names.
struct StoreModel {
  std::string name;  // "registry.ollama.ai/library/llama3.2:1b", "owner/repo@revision/file.gguf"
  std::vector<StoreLayer> layers = {};
  // The fault of the manifest. Then there are no layers.
  std::optional<StoreManifestWording> fault = {};
  std::optional<std::uint64_t> fault_layer = {};
  std::string problem = {};  // why the manifest could not be read
  bool linked = false;       // a link leads to its layer, and no manifest names it
};

// ModelStores holds all listed models. Their blobs are FoundFiles::files from `first_file` on, each
// once, in the order in which models first need them.
struct ModelStores {
  std::size_t first_file = 0;
  std::vector<bool> gguf;    // by blob: it is judged as a model
  std::vector<bool> ollama;  // by blob: Ollama loads it
  std::vector<StoreModel> models;
  std::uint64_t names = 0;  // number of names read

  [[nodiscard]] bool HasFile(std::size_t file) const {
    return file >= first_file && file - first_file < gguf.size();
  }
  [[nodiscard]] bool IsOfOllama(std::size_t file) const {
    return HasFile(file) && ollama.at(file - first_file);
  }
  [[nodiscard]] bool IsPlainBlob(std::size_t file) const {
    return HasFile(file) && !gguf.at(file - first_file);
  }
};

}  // namespace ggufgate
