#pragma once

// The hashes of the parts of a model: enough to find out later what has changed in this or another
// file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "parse/document.h"

namespace ggufgate {

// ManifestTensor describes one tensor. All text is escaped (words/escape.h); hashes are SHA-256 in
// lower-case hexadecimal.
struct ManifestTensor {
  std::string name;
  std::string type;
  std::vector<std::uint64_t> dimensions;  // in the order of the file: the row length first
  std::uint64_t bytes = 0;
  std::string sha256;  // of its bytes in the file, without padding

  friend bool operator==(const ManifestTensor&, const ManifestTensor&) = default;
};

struct ModelManifest {
  std::uint64_t file_bytes = 0;
  std::string file_sha256;
  bool big_endian = false;
  std::uint64_t metadata_keys = 0;
  std::string metadata_sha256;  // of the records as in the file, sorted by key
  // Of the bytes of all tensors, in the order of the directory.
  std::string data_sha256;
  std::string root_sha256;              // the result of RootOf()
  std::vector<ManifestTensor> tensors;  // in the order of the directory
};

// RootOf returns the SHA-256 of this text, in which each line ends with a line feed:
//
//   ggufgate.manifest/1
//   metadata SHA256
//   tensor SHA256 BYTES TYPE D0,D1,… NAME      one line per tensor, sorted by name (as bytes)
//
// Two files have the same root if they have the same metadata and tensors, regardless of their
// offsets.
[[nodiscard]] absl::StatusOr<std::string> RootOf(const ModelManifest& manifest);

// MakeManifest hashes a file whose structure was accepted. It returns an error if the file cannot
// be read, or if the document violates the structure. It reads the file twice, a chunk at a time.
[[nodiscard]] absl::StatusOr<ModelManifest> MakeManifest(const Document& document,
                                                         const ByteSource& source);

// DataSha256 returns the hash of one tensor's bytes.
[[nodiscard]] absl::StatusOr<std::string> DataSha256(const Document& document,
                                                     const ByteSource& source,
                                                     const TensorInfo& tensor);

}  // namespace ggufgate
