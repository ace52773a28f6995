#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// StoreFolder is a folder of a store. Its contents are opened relative to it, without following
// links, so a new link cannot lead out of the store.
class StoreFolder {
 public:
  enum class Kind : std::uint8_t { kNone, kFile, kFolder, kLink, kOther, kUnknown };

  // Open opens the store itself, which may be a link.
  [[nodiscard]] static absl::StatusOr<StoreFolder> Open(const std::string& path);
  [[nodiscard]] absl::StatusOr<StoreFolder> In(const std::string& name) const;

  // Names returns the names in the folder, sorted, without "." and "..". It returns an error if
  // there are more than `most`.
  [[nodiscard]] absl::StatusOr<std::vector<std::string>> Names(std::uint64_t most) const;

  // KindOf returns the kind of a name, or kUnknown if the system gives no answer.
  [[nodiscard]] Kind KindOf(const std::string& name) const;
  // TextOf returns the bytes of a regular file of at most `most` bytes.
  [[nodiscard]] absl::StatusOr<std::string> TextOf(const std::string& name,
                                                   std::uint64_t most) const;
  // LinkAt returns the target of a link, as written in the link.
  [[nodiscard]] std::optional<std::string> LinkAt(const std::string& name) const;
  [[nodiscard]] absl::StatusOr<bool> BeginsAsModel(const std::string& name) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string PathOf(const std::string& name) const { return path_ + "/" + name; }

 private:
  StoreFolder(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;
};

// BlobOfLink returns the name of the blob that a link in the store leads to. The link, `depth`
// folders below the store, must have exactly `depth` times "../", then "blobs/", and a name. For
// any other link it returns nullopt, because that may lead anywhere.
[[nodiscard]] std::optional<std::string> BlobOfLink(std::string_view link, std::size_t depth);

}  // namespace ggufgate
