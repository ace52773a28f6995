#pragma once

// The manifest of a model of Ollama's: read where nothing can be opened, handed over as bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "stores/model_store.h"

namespace ggufgate {

inline constexpr std::uint64_t kLongestManifest = std::uint64_t{4} << 20;  // bytes

// OllamaManifest is what a manifest says.
struct OllamaManifest {
  struct Layer {
    LayerKind kind = LayerKind::kOther;
    std::string digest;  // 64 digits, lower case
    std::optional<std::uint64_t> size;
  };
  std::optional<StoreManifestWording> fault;  // then there are no layers
  std::uint64_t fault_layer = 0;
  std::vector<Layer> layers;  // of a list of manifests: those of all
};

// ParseOllamaManifest reads hostile text. A list of manifests may name blobs that are manifests
// themselves (kManifest), unless `in_list`: then it is one of those.
[[nodiscard]] OllamaManifest ParseOllamaManifest(std::string_view text, bool in_list);

// Manifests as bytes, to cross a pipe. ReadOllamaManifests believes nothing: nothing comes of bytes
// that are not exactly `count` manifests.
[[nodiscard]] std::vector<std::uint8_t> WriteOllamaManifests(
    const std::vector<OllamaManifest>& manifests);
[[nodiscard]] std::optional<std::vector<OllamaManifest>> ReadOllamaManifests(Bytes bytes,
                                                                             std::size_t count);

}  // namespace ggufgate
