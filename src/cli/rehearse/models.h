#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/input.h"

namespace ggufgate {

class RemoteFiles;
struct RemoteOptions;

// Models are the models of a rehearsal: files, sets of shards, and the contents of folders.
class Models {
 public:
  // A first shard adds the others of its set. A folder adds its GGUF files, each once: of several
  // links to a file it takes one, and of a set only the first shard. A folder that cannot be
  // searched, or has no such file, is a model that cannot be opened.
  Models(const std::vector<std::string>& paths, const RemoteOptions& remote);
  ~Models();

  [[nodiscard]] std::size_t size() const { return models_.size(); }
  // NameOf returns the path of a model; of a set, that of its first shard.
  [[nodiscard]] const std::string& NameOf(std::size_t model) const {
    return models_.at(model).name;
  }
  // FilesOf returns the files of a model: one, or all shards that exist.
  [[nodiscard]] std::span<const std::string> FilesOf(std::size_t model) const;

  // Open opens the files of a model. For a file on a server it opens the stand-in, so that the
  // bytes that are judged are those that the loader gets.
  [[nodiscard]] absl::StatusOr<std::vector<Input>> Open(std::size_t model);

 private:
  struct Model {
    std::string name;
    std::size_t begin = 0;  // of its files
    std::size_t end = 0;
    absl::Status problem = absl::OkStatus();
  };

  void Add(const std::string& path);
  void AddFolder(const std::string& path);
  absl::StatusOr<Input> OpenFile(std::size_t file);

  std::vector<std::string> files_;
  std::vector<Model> models_;
  std::unique_ptr<RemoteFiles> remote_;
};

}  // namespace ggufgate
