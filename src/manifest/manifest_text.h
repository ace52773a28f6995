#pragma once

// Manifest files: JSON with schema ggufgate.manifest/1, and the lines of llama-gguf-hash.

#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "manifest/model_manifest.h"

namespace ggufgate {

// `path` is the name of the file in the output.
void WriteManifestJson(const ModelManifest& manifest, const std::string& path, std::ostream& out);
// Writes the format of llama.cpp's `llama-gguf-hash --sha256`.
void WriteGgufHash(const ModelManifest& manifest, const std::string& path, std::ostream& out);

inline constexpr std::uint64_t kLongestManifestFile = std::uint64_t{64} << 20;  // bytes

// ExpectedModel is a parsed manifest file. The lines of llama-gguf-hash contain only the hashes of
// tensors, and nothing about metadata: empty or 0 means unknown.
struct ExpectedModel {
  ModelManifest manifest;
  bool hashes_only = false;
};

// ReadManifest parses untrusted text of either kind. It returns InvalidArgument, with the reason,
// for text that is malformed or contradicts itself.
[[nodiscard]] absl::StatusOr<ExpectedModel> ReadManifest(std::string_view text);

}  // namespace ggufgate
