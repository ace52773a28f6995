#pragma once

// Makes model stores like those of Ollama and huggingface_hub.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate::testing {

[[nodiscard]] std::string Sha256OfBytes(Bytes bytes);

// WriteFileAt writes a file and makes the folders of its path. It replaces an existing file.
void WriteFileAt(const std::string& path, std::string_view content);

// OllamaMaker makes manifests and blobs below a folder.
class OllamaMaker {
 public:
  explicit OllamaMaker(std::string folder) : folder_(std::move(folder)) {}

  // PutBlob returns the digest of the content.
  std::string PutBlob(Bytes content) const;
  std::string PutBlob(std::string_view content) const { return PutBlob(AsBytes(content)); }
  [[nodiscard]] std::string PathOfBlob(std::string_view digest) const;

  // Layer returns a layer as JSON; `media` is for example "model".
  [[nodiscard]] static std::string Layer(std::string_view media, std::string_view digest,
                                         std::uint64_t size);
  // PutManifest writes a manifest with these layers; `name` is for example
  // "registry.ollama.ai/library/a/1b".
  void PutManifest(std::string_view name, const std::vector<std::string>& layers,
                   std::string_view config = "{}") const;
  // PutModel writes a model with a template, and returns the digest of the model's blob.
  std::string PutModel(std::string_view name, Bytes model) const;

 private:
  std::string folder_;
};

// HuggingFaceMaker makes a repository in a cache.
class HuggingFaceMaker {
 public:
  // `repository` is for example "models--owner--name".
  HuggingFaceMaker(std::string_view cache, std::string_view repository)
      : folder_(std::string(cache) + "/" + std::string(repository)) {}

  // Put writes a blob and a link to it, and returns the digest.
  std::string Put(std::string_view revision, std::string_view file, Bytes content) const;
  [[nodiscard]] std::string PathOfBlob(std::string_view digest) const {
    return folder_ + "/blobs/" + std::string(digest);
  }
  // PutLink makes a link to any target.
  void PutLink(std::string_view revision, std::string_view file, const std::string& target) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace ggufgate::testing
