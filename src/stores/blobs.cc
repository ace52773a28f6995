#include "stores/blobs.h"

#include <algorithm>
#include <utility>

#include "gate/reading/looks_like_model.h"

namespace ggufgate {
namespace {

bool IsUnfinished(std::string_view name) {
  return name.ends_with(".incomplete") || name.find("-partial") != std::string_view::npos;
}

}  // namespace

bool IsSha256(std::string_view hex) {
  constexpr std::size_t kDigits = 64;
  return hex.size() == kDigits &&
         hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string DigestIn(std::string_view name) {
  if (IsNamedLikeABlob(name)) name.remove_prefix(std::string_view("sha256-").size());
  std::string hex(name);
  std::ranges::transform(hex, hex.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return IsSha256(hex) ? hex : "";
}

std::size_t AddFile(const std::string& path, bool gguf, FoundFiles& found, ModelStores& stores) {
  found.files.push_back(path);
  found.searched.push_back(true);
  stores.gguf.push_back(gguf);
  return found.files.size() - 1;
}

Blobs::Blobs(StoreFolder folder, std::vector<std::string> names, FoundFiles& found,
             ModelStores& stores)
    : folder_(std::move(folder)), found_(found), stores_(stores) {
  std::ranges::sort(names);
  for (std::string& name : names) known_.push_back({.name = std::move(name)});
}

Blobs::Known* Blobs::Find(std::string_view name) {
  const auto found = std::ranges::lower_bound(known_, name, {}, &Known::name);
  return found != known_.end() && found->name == name ? &*found : nullptr;
}

void Blobs::Place(StoreLayer& layer) {
  Known* const blob = Find(layer.blob);
  if (blob == nullptr) return;
  blob->named = true;
  const StoreFolder::Kind kind = folder_.KindOf(blob->name);
  if (kind == StoreFolder::Kind::kNone) return;
  if (kind != StoreFolder::Kind::kFile) {
    layer.obstacle = kind == StoreFolder::Kind::kLink      ? "links are not followed"
                     : kind == StoreFolder::Kind::kUnknown ? "cannot look at it"
                                                           : "it is not a regular file";
    return;
  }
  if (!blob->file) {
    const absl::StatusOr<bool> is_model =
        IsGguf(layer.kind) ? absl::StatusOr<bool>(true) : folder_.BeginsAsModel(blob->name);
    if (!is_model.ok()) {
      layer.obstacle = std::string(is_model.status().message());
      return;
    }
    blob->file = AddFile(folder_.PathOf(blob->name), *is_model, found_, stores_);
  }
  layer.file = blob->file;
  if (IsGguf(layer.kind)) stores_.gguf.at(*blob->file - stores_.first_file) = true;
}

void Blobs::PassOver(std::string_view name) {
  if (Known* const blob = Find(name)) blob->named = true;
}

absl::StatusOr<bool> Blobs::LooksLikeAModel(const std::string& name, StoreFolder::Kind kind) const {
  if (kind == StoreFolder::Kind::kUnknown) return absl::UnavailableError("cannot look at it");
  if (kind != StoreFolder::Kind::kFile) return false;
  if (IsNamedGguf(name)) return true;
  return folder_.BeginsAsModel(name);
}

void Blobs::TakeRest() {
  for (const Known& blob : known_) {
    if (blob.named) continue;
    const std::string path = folder_.PathOf(blob.name);
    if (IsUnfinished(blob.name)) {
      found_.Skip({.path = path, .why = "an incomplete download", .suspicious = true});
      continue;
    }
    const StoreFolder::Kind kind = folder_.KindOf(blob.name);
    if (kind == StoreFolder::Kind::kFolder) continue;  // FindFiles has searched it
    const absl::StatusOr<bool> is_model = LooksLikeAModel(blob.name, kind);
    if (!is_model.ok()) {
      found_.problems.push_back({path, is_model.status()});
    } else if (*is_model) {
      StoreLayer layer{.kind = LayerKind::kModel, .digest = DigestIn(blob.name), .blob = blob.name};
      layer.file = AddFile(path, /*gguf=*/true, found_, stores_);
      stores_.models.push_back({.name = path, .layers = {std::move(layer)}, .linked = true});
    } else {
      found_.Skip({.path = path, .why = "no model of the store uses it"});
    }
  }
}

}  // namespace ggufgate
