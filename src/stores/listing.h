#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stores/blobs.h"

namespace ggufgate {

// Listing is the common code of the listings of all kinds of stores. An error becomes a problem of
// the run, and the listing continues.
class Listing {
 public:
  Listing(const StoreFolder& root, FoundFiles& found, ModelStores& stores)
      : root_(root), found_(found), stores_(stores), first_model_(stores.models.size()) {}

 protected:
  void Problem(const std::string& path, absl::Status status) {
    found_.problems.push_back({path, std::move(status)});
  }

  // Open checks whether the name is a link only after In() has failed. In() never follows links, so
  // this check affects only the message.
  std::optional<StoreFolder> Open(const StoreFolder& in, const std::string& name) {
    absl::StatusOr<StoreFolder> folder = in.In(name);
    if (folder.ok()) return *std::move(folder);
    const bool is_link = in.KindOf(name) == StoreFolder::Kind::kLink;
    Problem(in.PathOf(name),
            is_link ? absl::FailedPreconditionError(
                          "it is a link to a place outside the store, and is not followed")
                    : folder.status());
    return std::nullopt;
  }

  // ReadNames enforces SearchLimits::names for all stores together. If a folder cannot be read
  // completely, it adds a problem and returns nullopt.
  std::optional<std::vector<std::string>> ReadNames(const StoreFolder& folder) {
    const std::uint64_t left = SearchLimits{}.names - stores_.names;
    absl::StatusOr<std::vector<std::string>> names = folder.Names(left);
    if (!names.ok()) {
      Problem(folder.path(), names.status());
      return std::nullopt;
    }
    stores_.names += names->size();
    return *std::move(names);
  }
  std::vector<std::string> NamesIn(const StoreFolder& folder) {
    return ReadNames(folder).value_or(std::vector<std::string>());
  }

  // OpenBlobs adds a problem and returns false if the folder of blobs exists but cannot be read.
  bool OpenBlobs() {
    const StoreFolder::Kind kind = root_.KindOf("blobs");
    if (kind == StoreFolder::Kind::kNone) return true;
    if (kind == StoreFolder::Kind::kUnknown) {
      Problem(root_.PathOf("blobs"), absl::UnavailableError("cannot look at it"));
      return false;
    }
    std::optional<StoreFolder> folder = Open(root_, "blobs");
    if (!folder) return false;
    std::optional<std::vector<std::string>> names = ReadNames(*folder);
    if (!names) return false;  // otherwise unread blobs would count as missing
    blobs_.emplace(*std::move(folder), *std::move(names), found_, stores_);
    return true;
  }

  const StoreFolder& root_;
  FoundFiles& found_;
  ModelStores& stores_;
  std::size_t first_model_;  // the first model of this store
  std::optional<Blobs> blobs_;
};

}  // namespace ggufgate
