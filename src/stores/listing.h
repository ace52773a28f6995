#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stores/blobs.h"

namespace ggufgate {

// Listing is what the listings of all kinds of stores do alike. What goes wrong becomes a problem
// of the run, and the rest is listed.
class Listing {
 public:
  Listing(const StoreFolder& root, FoundFiles& found, ModelStores& stores)
      : root_(root), found_(found), stores_(stores), first_model_(stores.models.size()) {}

 protected:
  void Problem(const std::string& path, absl::Status status) {
    found_.problems.push_back({path, std::move(status)});
  }

  std::optional<StoreFolder> Open(const StoreFolder& in, const std::string& name) {
    absl::StatusOr<StoreFolder> folder = in.In(name);
    if (folder.ok()) return *std::move(folder);
    Problem(in.PathOf(name), folder.status());
    return std::nullopt;
  }

  // NamesIn keeps to SearchLimits::names over all stores.
  std::vector<std::string> NamesIn(const StoreFolder& folder) {
    const std::uint64_t left = SearchLimits{}.names - stores_.names;
    absl::StatusOr<std::vector<std::string>> names = folder.Names(left);
    if (!names.ok()) {
      Problem(folder.path(), names.status());
      return {};
    }
    stores_.names += names->size();
    return *std::move(names);
  }

  // OpenBlobs gives false, and a problem, when there is such a folder that cannot be read.
  bool OpenBlobs() {
    if (root_.KindOf("blobs") == StoreFolder::Kind::kNone) return true;
    std::optional<StoreFolder> folder = Open(root_, "blobs");
    if (!folder) return false;
    std::vector<std::string> names = NamesIn(*folder);
    blobs_.emplace(*std::move(folder), std::move(names), found_, stores_);
    return true;
  }

  const StoreFolder& root_;
  FoundFiles& found_;
  ModelStores& stores_;
  std::size_t first_model_;  // of this store
  std::optional<Blobs> blobs_;
};

}  // namespace ggufgate
