#pragma once

// What is in a model, by hashes: enough to say later, of the same or of another file, what changed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "parse/document.h"

namespace ggufgate {

// ManifestTensor is one tensor; all text is escaped (words/escape.h), hashes are SHA-256 in
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
  std::string metadata_sha256;  // of the records as they stand in the file, sorted by key
  std::string data_sha256;      // of the bytes of all tensors, in the order of the directory
  std::string root_sha256;      // RootOf
  std::vector<ManifestTensor> tensors;  // in the order of the directory
};

// RootOf is the SHA-256 of this text, each line ended by a line feed:
//
//   ggufgate.manifest/1
//   metadata SHA256
//   tensor SHA256 BYTES TYPE D0,D1,… NAME      a line a tensor, sorted by name (as bytes)
//
// Two files have the same root when they have the same metadata and tensors, wherever these lie.
[[nodiscard]] absl::StatusOr<std::string> RootOf(const ModelManifest& manifest);

// MakeManifest hashes a file whose structure was accepted; an error where it cannot be read, or the
// document does not hold what an accepted one does. It reads the file twice, a chunk at a time.
[[nodiscard]] absl::StatusOr<ModelManifest> MakeManifest(const Document& document,
                                                         const ByteSource& source);

// DataSha256 is the hash of one tensor's bytes.
[[nodiscard]] absl::StatusOr<std::string> DataSha256(const Document& document,
                                                     const ByteSource& source,
                                                     const TensorInfo& tensor);

}  // namespace ggufgate
