#pragma once

// The manifest of an Ollama model: parsed in a process that cannot open files, and passed on as
// bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "stores/model_store.h"

namespace ggufgate {

inline constexpr std::uint64_t kLongestManifest = std::uint64_t{4} << 20;  // bytes

// OllamaManifest is a parsed manifest.
struct OllamaManifest {
  struct Layer {
    LayerKind kind = LayerKind::kOther;
    std::string digest;  // 64 hexadecimal digits, lower case
    std::optional<std::uint64_t> size;
  };
  std::optional<StoreManifestWording> fault;  // if set, there are no layers
  std::uint64_t fault_layer = 0;
  std::vector<Layer> layers;  // for a list of manifests: those of all manifests
};

// ParseOllamaManifest parses untrusted text. A list of manifests may name blobs that are manifests
// themselves (kManifest). With `in_list`, the text is an entry of such a list, and must not be a
// list.
[[nodiscard]] OllamaManifest ParseOllamaManifest(std::string_view text, bool in_list);

// WriteOllamaManifests encodes manifests for a pipe. ReadOllamaManifests trusts nothing: it returns
// nullopt unless the bytes are exactly `count` valid manifests.
[[nodiscard]] std::vector<std::uint8_t> WriteOllamaManifests(
    const std::vector<OllamaManifest>& manifests);
[[nodiscard]] std::optional<std::vector<OllamaManifest>> ReadOllamaManifests(Bytes bytes,
                                                                             std::size_t count);

}  // namespace ggufgate
