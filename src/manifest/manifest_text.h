#pragma once

// Manifests as files: the JSON of schema ggufgate.manifest/1, and the lines of llama-gguf-hash.

#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "manifest/model_manifest.h"

namespace ggufgate {

// `path` is what the file is called there.
void WriteManifestJson(const ModelManifest& manifest, const std::string& path, std::ostream& out);
// As `llama-gguf-hash --sha256` of llama.cpp prints them.
void WriteGgufHash(const ModelManifest& manifest, const std::string& path, std::ostream& out);

inline constexpr std::uint64_t kLongestManifestFile = std::uint64_t{64} << 20;  // bytes

// ExpectedModel is what a manifest file says. Lines of llama-gguf-hash know of tensors their hashes
// alone, and nothing of metadata: what is empty or 0 is not known.
struct ExpectedModel {
  ModelManifest manifest;
  bool hashes_only = false;
};

// ReadManifest reads hostile text of either kind. Nothing that is out of shape, or that contradicts
// itself, is taken: InvalidArgument says why.
[[nodiscard]] absl::StatusOr<ExpectedModel> ReadManifest(std::string_view text);

}  // namespace ggufgate
