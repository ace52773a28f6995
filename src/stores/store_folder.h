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

// StoreFolder is a folder of a store. What is in it is opened from here, one inside the other, and
// no link is followed: a link that somebody puts there meanwhile leads nobody out of the store.
class StoreFolder {
 public:
  enum class Kind : std::uint8_t { kNone, kFile, kFolder, kLink, kOther, kUnknown };

  // Open opens the store itself, which may be a link.
  [[nodiscard]] static absl::StatusOr<StoreFolder> Open(const std::string& path);
  [[nodiscard]] absl::StatusOr<StoreFolder> In(const std::string& name) const;

  // Names are those in it, sorted, but "." and ".."; an error when they are more than `most`.
  [[nodiscard]] absl::StatusOr<std::vector<std::string>> Names(std::uint64_t most) const;

  // KindOf says what a name is; kUnknown where the system does not tell.
  [[nodiscard]] Kind KindOf(const std::string& name) const;
  // TextOf gives the bytes of a regular file of at most `most` bytes.
  [[nodiscard]] absl::StatusOr<std::string> TextOf(const std::string& name,
                                                   std::uint64_t most) const;
  // LinkAt is where a link leads, as it is written.
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

// BlobOfLink is the name of the blob that a link leads to, `depth` folders below the store: exactly
// so many times "../", "blobs/", and a name. Nothing for any other link, which may lead anywhere.
[[nodiscard]] std::optional<std::string> BlobOfLink(std::string_view link, std::size_t depth);

}  // namespace ggufgate
