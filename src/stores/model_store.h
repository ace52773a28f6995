#pragma once

// What programs keep models in, as lists of what is to be judged and under which names.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/wording.h"

namespace ggufgate {

// LayerKind is what a layer is to the model.
enum class LayerKind : std::uint8_t {
#define GGUFGATE_LAYER(name, media, word) k##name,
#include "stores/layers.def"
#undef GGUFGATE_LAYER
  kConfig,
  kManifest,  // of a list: a blob that is a manifest itself
  kOther,
};
inline constexpr std::uint64_t kLayerKinds = static_cast<std::uint64_t>(LayerKind::kOther) + 1;

[[nodiscard]] std::string_view WordFor(LayerKind kind);

// IsGguf tells which layers are GGUF files by what the manifest says of them.
[[nodiscard]] constexpr bool IsGguf(LayerKind kind) {
  return kind == LayerKind::kModel || kind == LayerKind::kProjector || kind == LayerKind::kAdapter;
}

// StoreLayer is a blob that a model needs.
struct StoreLayer {
  LayerKind kind = LayerKind::kOther;
  std::string digest = {};  // SHA-256 that it is named by, lower-case hexadecimal; empty: none
  std::optional<std::uint64_t> size = {};  // as the manifest says
  std::optional<std::size_t> file = {};    // index into FoundFiles::files; nothing: it is not there
  std::string blob = {};                   // its name in the folder of blobs
  std::string obstacle = {};               // why nobody can judge it, though something is there
};

// StoreModel is a model under one name.
struct StoreModel {
  std::string name;  // "registry.ollama.ai/library/llama3.2:1b", "owner/repo@revision/file.gguf"
  std::vector<StoreLayer> layers = {};
  // What is wrong with the manifest; then there are no layers.
  std::optional<StoreManifestWording> fault = {};
  std::optional<std::uint64_t> fault_layer = {};
  std::string problem = {};  // why the manifest could not be read
  bool linked = false;       // its layer is what a link leads to, no manifest names it
};

// ModelStores are all that were listed. Their blobs are FoundFiles::files from `first_file` on, in
// the order in which models need them first, each once.
struct ModelStores {
  std::size_t first_file = 0;
  std::vector<bool> gguf;    // by blob: it is judged as a model
  std::vector<bool> ollama;  // by blob: Ollama loads it
  std::vector<StoreModel> models;
  std::uint64_t names = 0;  // that were looked at

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
