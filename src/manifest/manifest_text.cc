#include "manifest/manifest_text.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

Json FileJson(const ModelManifest& manifest, const std::string& path) {
  Json file = {{"path", EscapeText(path)}};
  if (EscapeText(path) != path) file["path_hex"] = absl::BytesToHexString(path);
  file["bytes"] = manifest.file_bytes;
  file["sha256"] = manifest.file_sha256;
  return file;
}

}  // namespace

void WriteManifestJson(const ModelManifest& manifest, const std::string& path, std::ostream& out) {
  const Json tool = {{"name", "ggufgate"}, {"version", GGUFGATE_VERSION}};
  const Json metadata = {{"keys", manifest.metadata_keys}, {"sha256", manifest.metadata_sha256}};
  out << "{\"schema\": \"ggufgate.manifest/1\",\n \"tool\": " << TextOf(tool)
      << ",\n \"file\": " << TextOf(FileJson(manifest, path)) << ",\n \"byte_order\": \""
      << (manifest.big_endian ? "big" : "little") << "\",\n \"metadata\": " << TextOf(metadata)
      << ",\n \"data_sha256\": \"" << manifest.data_sha256 << "\",\n \"root_sha256\": \""
      << manifest.root_sha256 << "\",\n \"tensors\": [";
  const char* before = "\n  ";
  for (const ManifestTensor& tensor : manifest.tensors) {
    out << std::exchange(before, ",\n  ")
        << TextOf({{"name", tensor.name},
                   {"type", tensor.type},
                   {"dimensions", tensor.dimensions},
                   {"bytes", tensor.bytes},
                   {"sha256", tensor.sha256}});
  }
  out << "\n ]}\n";
}

// Source: examples/gguf-hash/gguf-hash.cpp of llama.cpp. The kind of hash takes eight columns.
// There is one line per tensor, and a last one for all tensors.
void WriteGgufHash(const ModelManifest& manifest, const std::string& path, std::ostream& out) {
  const std::string file = EscapeText(path);
  for (const ManifestTensor& tensor : manifest.tensors) {
    out << absl::StreamFormat("%-8s  %s  %s:%s\n", "sha256", tensor.sha256, file, tensor.name);
  }
  out << absl::StreamFormat("%-8s  %s  %s\n", "sha256", manifest.data_sha256, file);
}

}  // namespace ggufgate
