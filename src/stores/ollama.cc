// An Ollama store: manifests/HOST/NAMESPACE/MODEL/TAG name blobs/sha256-DIGEST. Source:
// manifest/manifest.go and manifest/paths.go of Ollama. Newer releases keep manifests among the
// blobs, and links to them in manifests-v2.

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "gate/processes/confined_answer.h"
#include "gate/reading/looks_like_model.h"
#include "stores/list_stores.h"
#include "stores/listing.h"
#include "stores/ollama_manifest.h"

namespace ggufgate {
namespace {

constexpr const char* kNoStore = "it is not a store of Ollama: it has no folder manifests";
constexpr std::size_t kParts = 4;  // of a name: host, namespace, model, tag
constexpr std::uint64_t kMostManifestBytes = std::uint64_t{64} << 20;  // all together

// IsNamePart tells whether Ollama accepts a text as part of a model's name (types/model/name.go,
// isValidPart). Ollama ignores other files.
bool IsNamePart(std::string_view part) {
  constexpr std::string_view kFirst =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !part.empty() && kFirst.find(part.front()) != std::string_view::npos &&
         std::ranges::all_of(part, [&](char c) {
           return kFirst.find(c) != std::string_view::npos || c == '-' || c == '.' || c == ':';
         });
}

class Store : private Listing {
 public:
  Store(const StoreFolder& root, FoundFiles& found, ModelStores& stores)
      : Listing(root, found, stores) {}

  void List() {
    if (!OpenBlobs()) return;
    bool any = false;
    for (const char* const manifests : {"manifests-v2", "manifests"}) {
      const StoreFolder::Kind kind = root_.KindOf(manifests);
      if (kind == StoreFolder::Kind::kNone) continue;
      any = true;
      if (kind == StoreFolder::Kind::kUnknown) {
        Problem(root_.PathOf(manifests), absl::UnavailableError("cannot look at it"));
        continue;
      }
      if (std::optional<StoreFolder> all = Open(root_, manifests)) ListManifests(*std::move(all));
    }
    if (!any) Problem(root_.path(), absl::NotFoundError(kNoStore));
    Understand();
    PlaceAll();
    if (blobs_) blobs_->TakeRest();
  }

 private:
  struct Level {
    StoreFolder folder;
    std::vector<std::string> parts;  // of the name, as far as it is known
  };
  // Text is a manifest that has been read but not parsed.
  struct Text {
    std::size_t model;  // index of its model
    std::string text;
    bool in_list;
  };

  void ListManifests(StoreFolder manifests) {
    std::vector<Level> levels;
    levels.push_back({std::move(manifests), {}});
    while (!levels.empty()) {
      const Level level = std::move(levels.back());
      levels.pop_back();
      std::vector<std::string> names = NamesIn(level.folder);
      // The last level is handled next, so this reverses the names: models come in the order of
      // their names.
      if (level.parts.size() + 1 < kParts) std::ranges::reverse(names);
      for (const std::string& name : names) Step(level, name, levels);
    }
  }

  void Step(const Level& level, const std::string& name, std::vector<Level>& levels) {
    const bool is_tag = level.parts.size() + 1 == kParts;
    const StoreFolder::Kind kind = level.folder.KindOf(name);
    if (kind == StoreFolder::Kind::kUnknown) {
      return Problem(level.folder.PathOf(name), absl::UnavailableError("cannot look at it"));
    }
    if (!IsNamePart(name) || (kind == StoreFolder::Kind::kFolder) == is_tag) {
      return found_.Skip({.path = level.folder.PathOf(name), .why = "not the name of a model"});
    }
    std::vector<std::string> parts = level.parts;
    parts.push_back(name);
    if (is_tag) return TakeManifest(level.folder, parts, kind);
    if (kind != StoreFolder::Kind::kFolder) {
      return found_.Skip({.path = level.folder.PathOf(name), .why = "not the name of a model"});
    }
    if (std::optional<StoreFolder> inner = Open(level.folder, name)) {
      levels.push_back({*std::move(inner), std::move(parts)});
    }
  }

  void TakeManifest(const StoreFolder& folder, const std::vector<std::string>& parts,
                    StoreFolder::Kind kind) {
    StoreModel model{.name = parts[0] + "/" + parts[1] + "/" + parts[2] + ":" + parts[3]};
    // The same model may also have a manifest of the older kind.
    if (!names_.insert(model.name).second) model.name += " (manifests)";
    const std::size_t number = stores_.models.size();
    const std::string& tag = parts.back();
    if (kind != StoreFolder::Kind::kLink) {
      ReadManifest(folder, tag, number, /*in_list=*/false, model);
    } else {
      const std::optional<std::string> link = folder.LinkAt(tag);
      const std::optional<std::string> blob = link ? BlobOfLink(*link, kParts) : std::nullopt;
      if (!blob || !IsNamedLikeABlob(*blob) ||
          !IsSha256(blob->substr(std::string_view("sha256-").size()))) {
        model.problem = "its manifest is a link, but not to a blob of the store";
      } else {
        AddManifestBlob(blob->substr(std::string_view("sha256-").size()), number,
                        /*in_list=*/false, model);
      }
    }
    stores_.models.push_back(std::move(model));
  }

  // AddManifestBlob adds a layer for a blob that is a manifest, and reads it.
  void AddManifestBlob(const std::string& digest, std::size_t number, bool in_list,
                       StoreModel& model) {
    model.layers.push_back(LayerOf(LayerKind::kManifest, digest, std::nullopt));
    if (!blobs_ || !blobs_->Has(model.layers.back().blob)) {
      return;  // missing; its layer reports that
    }
    ReadManifest(blobs_->folder(), model.layers.back().blob, number, in_list, model);
  }

  void ReadManifest(const StoreFolder& folder, const std::string& name, std::size_t number,
                    bool in_list, StoreModel& model) {
    absl::StatusOr<std::string> text = folder.TextOf(name, kLongestManifest);
    if (absl::IsOutOfRange(text.status())) {
      model.fault = StoreManifestWording::kLarge;
    } else if (!text.ok()) {
      model.problem = "its manifest: " + std::string(text.status().message());
    } else if (text->size() > kMostManifestBytes - manifest_bytes_) {
      model.problem = "its manifest was not read: there are too many manifests";
    } else {
      manifest_bytes_ += text->size();
      texts_.push_back({number, *std::move(text), in_list});
    }
  }

  StoreLayer LayerOf(LayerKind kind, const std::string& digest, std::optional<std::uint64_t> size) {
    StoreLayer layer{.kind = kind, .digest = digest, .size = size, .blob = "sha256-" + digest};
    // Ollama before 0.1.30 wrote a colon if the file system allows it.
    if (blobs_ && !blobs_->Has(layer.blob) && blobs_->Has("sha256:" + digest)) {
      layer.blob = "sha256:" + digest;
    }
    return layer;
  }

  // Understand has the manifests parsed, and then those that lists name.
  void Understand() {
    while (!texts_.empty()) {
      const std::vector<Text> texts = std::exchange(texts_, {});
      const auto answer = AnswerOfConfined([&] {
        std::vector<OllamaManifest> manifests;
        for (const Text& each : texts) {
          manifests.push_back(ParseOllamaManifest(each.text, each.in_list));
        }
        return WriteOllamaManifests(manifests);
      });
      std::optional<std::vector<OllamaManifest>> manifests;
      if (answer.ok()) manifests = ReadOllamaManifests(*answer, texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (manifests) {
          Apply(manifests->at(i), texts.at(i));
        } else {
          stores_.models.at(texts.at(i).model).problem =
              answer.ok()
                  ? "its manifest: the process that read it sent an invalid answer: a bug of "
                    "ggufgate, or an attack"
                  : "its manifest: " + std::string(answer.status().message());
        }
      }
    }
  }

  void Apply(const OllamaManifest& manifest, const Text& text) {
    StoreModel& model = stores_.models.at(text.model);
    if (manifest.fault && !model.fault) {
      model.fault = manifest.fault;
      model.fault_layer = manifest.fault_layer;
    }
    for (const OllamaManifest::Layer& layer : manifest.layers) {
      if (layer.kind == LayerKind::kManifest) {
        // An entry of a list is not a list itself: ParseOllamaManifest makes sure of that.
        if (!text.in_list) AddManifestBlob(layer.digest, text.model, /*in_list=*/true, model);
      } else {
        model.layers.push_back(LayerOf(layer.kind, layer.digest, layer.size));
      }
    }
  }

  void PlaceAll() {
    if (!blobs_) return;
    for (std::size_t i = first_model_; i < stores_.models.size(); ++i) {
      for (StoreLayer& layer : stores_.models.at(i).layers) blobs_->Place(layer);
    }
  }

  std::set<std::string> names_;
  std::vector<Text> texts_;
  std::uint64_t manifest_bytes_ = 0;
};

}  // namespace

void FindOllamaStore(const std::string& folder, FoundFiles& found,
                     const std::vector<std::string>& excluded) {
  constexpr auto kKind = FoundFiles::Store::Kind::kOllama;
  const std::size_t problems = found.problems.size();
  const auto stores = static_cast<std::ptrdiff_t>(found.stores.size());
  FindStore({folder, kKind}, excluded, found);
  const bool is_one = std::any_of(
      found.stores.begin() + stores, found.stores.end(),
      [&](const FoundFiles::Store& store) { return store.kind == kKind && store.path == folder; });
  if (is_one || found.problems.size() > problems || IsExcluded(folder, excluded)) return;
  found.problems.push_back({folder, absl::NotFoundError(kNoStore)});
}

void ListOllamaStore(const std::string& path, FoundFiles& found, ModelStores& stores) {
  const absl::StatusOr<StoreFolder> root = StoreFolder::Open(path);
  if (!root.ok()) {
    found.problems.push_back({path, root.status()});
    return;
  }
  Store(*root, found, stores).List();
}

}  // namespace ggufgate
