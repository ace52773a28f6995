#pragma once

// Makes stores of models as Ollama and huggingface_hub leave them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate::testing {

[[nodiscard]] std::string Sha256OfBytes(Bytes bytes);

// WriteFileAt writes a file, with the folders that it lies in; it replaces what was there.
void WriteFileAt(const std::string& path, std::string_view content);

// OllamaMaker makes manifests and blobs below a folder.
class OllamaMaker {
 public:
  explicit OllamaMaker(std::string folder) : folder_(std::move(folder)) {}

  // PutBlob gives the digest of the content.
  std::string PutBlob(Bytes content) const;
  std::string PutBlob(std::string_view content) const { return PutBlob(AsBytes(content)); }
  [[nodiscard]] std::string PathOfBlob(std::string_view digest) const;

  // Layer is one as JSON; `media` as "model".
  [[nodiscard]] static std::string Layer(std::string_view media, std::string_view digest,
                                         std::uint64_t size);
  // PutManifest writes one with these layers; `name` as "registry.ollama.ai/library/a/1b".
  void PutManifest(std::string_view name, const std::vector<std::string>& layers,
                   std::string_view config = "{}") const;
  // PutModel writes a model with a template; it gives the digest of the model's blob.
  std::string PutModel(std::string_view name, Bytes model) const;

 private:
  std::string folder_;
};

// HuggingFaceMaker makes a repository in a cache.
class HuggingFaceMaker {
 public:
  // `repository` as "models--owner--name".
  HuggingFaceMaker(std::string_view cache, std::string_view repository)
      : folder_(std::string(cache) + "/" + std::string(repository)) {}

  // Put puts a blob and a link to it; it gives the digest.
  std::string Put(std::string_view revision, std::string_view file, Bytes content) const;
  [[nodiscard]] std::string PathOfBlob(std::string_view digest) const {
    return folder_ + "/blobs/" + std::string(digest);
  }
  // PutLink puts a link that leads anywhere.
  void PutLink(std::string_view revision, std::string_view file, const std::string& target) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace ggufgate::testing
