#include "tests/support/stores/stores.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bytes/memory_source.h"
#include "gate/reading/digest.h"

namespace ggufgate::testing {

namespace fs = std::filesystem;

std::string Sha256OfBytes(Bytes bytes) { return Sha256Of(MemorySource(bytes)).value(); }

void WriteFileAt(const std::string& path, std::string_view content) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string OllamaMaker::PathOfBlob(std::string_view digest) const {
  return folder_ + "/blobs/sha256-" + std::string(digest);
}

std::string OllamaMaker::PutBlob(Bytes content) const {
  std::string digest = Sha256OfBytes(content);
  WriteFileAt(PathOfBlob(digest), AsText(content));
  return digest;
}

std::string OllamaMaker::Layer(std::string_view media, std::string_view digest,
                               std::uint64_t size) {
  return R"({"mediaType":"application/vnd.ollama.image.)" + std::string(media) +
         R"(","digest":"sha256:)" + std::string(digest) + R"(","size":)" + std::to_string(size) +
         "}";
}

void OllamaMaker::PutManifest(std::string_view name, const std::vector<std::string>& layers,
                              std::string_view config) const {
  std::string text =
      R"({"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json",)"
      R"("config":{"mediaType":"application/vnd.docker.container.image.v1+json","digest":"sha256:)" +
      PutBlob(config) + R"(","size":)" + std::to_string(config.size()) + R"(},"layers":[)";
  for (std::size_t i = 0; i < layers.size(); ++i) text += (i > 0 ? "," : "") + layers.at(i);
  WriteFileAt(folder_ + "/manifests/" + std::string(name), text + "]}");
}

std::string OllamaMaker::PutModel(std::string_view name, Bytes model) const {
  const std::string digest = PutBlob(model);
  const std::string words = "{{ .Prompt }} of " + std::string(name);
  PutManifest(name, {Layer("model", digest, model.size()),
                     Layer("template", PutBlob(words), words.size())});
  return digest;
}

void HuggingFaceMaker::PutLink(std::string_view revision, std::string_view file,
                               const std::string& target) const {
  const std::string path =
      folder_ + "/snapshots/" + std::string(revision) + "/" + std::string(file);
  fs::create_directories(fs::path(path).parent_path());
  fs::create_directories(folder_ + "/blobs");
  fs::create_symlink(target, path);
}

std::string HuggingFaceMaker::Put(std::string_view revision, std::string_view file,
                                  Bytes content) const {
  std::string digest = Sha256OfBytes(content);
  WriteFileAt(PathOfBlob(digest), AsText(content));
  std::string up = "../../";
  for (auto slashes = std::ranges::count(file, '/'); slashes > 0; --slashes) up += "../";
  PutLink(revision, file, up + "blobs/" + digest);
  return digest;
}

}  // namespace ggufgate::testing
