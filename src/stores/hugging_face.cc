// A repository in the cache of Hugging Face: snapshots/REVISION/… are links to blobs/HASH.
// Source: "Understand caching" in the documentation of huggingface_hub.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_replace.h"
#include "gate/reading/looks_like_model.h"
#include "stores/list_stores.h"
#include "stores/listing.h"

namespace ggufgate {
namespace {

constexpr std::string_view kModels = "models--";

std::string_view FolderNameIn(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// RepositoryOf returns "owner/name" for a folder "…/models--owner--name", and "datasets/owner/name"
// for "…/datasets--owner--name", like the addresses of the hub.
std::string RepositoryOf(std::string_view path) {
  path = FolderNameIn(path);
  if (path.starts_with(kModels)) path.remove_prefix(kModels.size());
  return absl::StrReplaceAll(std::string(path), {{"--", "/"}});
}

class Repository : private Listing {
 public:
  Repository(const StoreFolder& root, FoundFiles& found, ModelStores& stores)
      : Listing(root, found, stores),
        name_(RepositoryOf(root.path())),
        of_models_(FolderNameIn(root.path()).starts_with(kModels)) {}

  void List() {
    // If the file system has no links, there are no blobs, and the snapshots contain the files.
    if (!OpenBlobs()) return;
    std::optional<StoreFolder> snapshots = Open(root_, "snapshots");
    if (!snapshots) return;
    const std::size_t problems = found_.problems.size();
    ListSnapshots(*std::move(snapshots));
    // A model in another format is undecided, as in an Ollama store. Data sets, spaces and
    // repositories without files need no model.
    const bool any = stores_.models.size() > first_model_ || found_.problems.size() > problems;
    if (of_models_ && has_files_ && !any) stores_.models.push_back({.name = name_});
    if (blobs_) blobs_->TakeRest();
  }

 private:
  struct Level {
    StoreFolder folder;
    std::string name;
    std::size_t depth;  // below the repository
  };
  static constexpr std::size_t kSnapshots = 1;  // the depth of their folder

  // Files next to the snapshots are checked, too, under the repository's name.
  void ListSnapshots(StoreFolder snapshots) {
    std::vector<Level> levels;
    levels.push_back({std::move(snapshots), name_, kSnapshots});
    while (!levels.empty()) {
      const Level level = std::move(levels.back());
      levels.pop_back();
      std::vector<std::string> folders;
      for (const std::string& file : NamesIn(level.folder)) {
        const StoreFolder::Kind kind = level.folder.KindOf(file);
        if (kind == StoreFolder::Kind::kFolder) {
          folders.push_back(file);
        } else {
          Take(level, file, kind);
        }
      }
      std::ranges::reverse(folders);  // the last level is handled next
      for (const std::string& folder : folders) Enter(level, folder, levels);
    }
  }

  void Enter(const Level& level, const std::string& folder, std::vector<Level>& levels) {
    if (level.depth == SearchLimits{}.depth) {
      return Problem(level.folder.PathOf(folder),
                     absl::ResourceExhaustedError("it is not searched: too many nested folders"));
    }
    if (std::optional<StoreFolder> inner = Open(level.folder, folder)) {
      const char* const between = level.depth == kSnapshots ? "@" : "/";
      levels.push_back({*std::move(inner), level.name + between + folder, level.depth + 1});
    }
  }

  void Take(const Level& level, const std::string& file, StoreFolder::Kind kind) {
    has_files_ = true;
    StoreLayer layer{.kind = LayerKind::kModel};
    absl::StatusOr<bool> is_model = IsNamedGguf(file);
    if (kind == StoreFolder::Kind::kFile) {
      if (!*is_model) is_model = level.folder.BeginsAsModel(file);
      if (is_model.ok() && *is_model) {
        layer.digest = DigestIn(file);
        layer.file = AddFile(level.folder.PathOf(file), /*gguf=*/true, found_, stores_);
      }
    } else if (kind == StoreFolder::Kind::kLink) {
      is_model = Follow(level, file, *is_model, layer);
    } else if (kind == StoreFolder::Kind::kUnknown) {
      is_model = absl::UnavailableError("cannot look at it");
    } else {
      layer.obstacle = "it is not a regular file";
    }
    if (!is_model.ok()) {
      Problem(level.folder.PathOf(file), is_model.status());
    } else if (*is_model) {
      stores_.models.push_back(
          {.name = level.name + "/" + file, .layers = {std::move(layer)}, .linked = true});
    } else {
      found_.Skip({.path = level.folder.PathOf(file), .why = "it does not begin with GGUF"});
    }
  }

  // Follow finds the blob of a link, and tells whether it is a model.
  absl::StatusOr<bool> Follow(const Level& level, const std::string& file, bool named_gguf,
                              StoreLayer& layer) {
    const std::optional<std::string> link = level.folder.LinkAt(file);
    if (!link) return absl::UnavailableError("cannot read the link");
    const std::optional<std::string> blob = BlobOfLink(*link, level.depth);
    if (!blob) {  // a model may be there under any name
      layer.obstacle = "it is a link to a place outside the store, and is not followed";
      return true;
    }
    layer.blob = *blob;
    layer.digest = DigestIn(*blob);
    if (!blobs_) return named_gguf;
    const absl::StatusOr<bool> is_model =
        named_gguf ? absl::StatusOr<bool>(true) : blobs_->folder().BeginsAsModel(*blob);
    if (is_model.ok() && *is_model) {
      blobs_->Place(layer);
    } else {
      blobs_->PassOver(*blob);
    }
    return is_model;
  }

  std::string name_;
  bool of_models_;
  bool has_files_ = false;  // in a snapshot, or next to them
};

}  // namespace

void FindRepositories(const std::string& cache, FoundFiles& found,
                      const std::vector<std::string>& excluded) {
  constexpr auto kKind = FoundFiles::Store::Kind::kHuggingFace;
  const std::size_t problems = found.problems.size();
  const auto stores = static_cast<std::ptrdiff_t>(found.stores.size());
  FindStore({cache, kKind}, excluded, found);
  const bool any = std::any_of(found.stores.begin() + stores, found.stores.end(),
                               [](const FoundFiles::Store& store) { return store.kind == kKind; });
  if (any || found.problems.size() > problems) return;
  found.problems.push_back(
      {cache, absl::NotFoundError("it is not a cache of Hugging Face: it has no folder models--…, "
                                  "datasets--… or spaces--… with snapshots")});
}

void ListHuggingFaceRepository(const std::string& path, FoundFiles& found, ModelStores& stores) {
  const absl::StatusOr<StoreFolder> root = StoreFolder::Open(path);
  if (!root.ok()) {
    found.problems.push_back({path, root.status()});
    return;
  }
  Repository(*root, found, stores).List();
}

}  // namespace ggufgate
