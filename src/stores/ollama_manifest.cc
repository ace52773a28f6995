#include "stores/ollama_manifest.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "json/bounded.h"

namespace ggufgate {
namespace {

using Json = nlohmann::json;

constexpr JsonBounds kBounds{
    .bytes = kLongestManifest, .depth = 16, .values = kLongestManifest / 4};
constexpr std::size_t kDigits = 64;
constexpr std::string_view kListType = "application/vnd.ollama.manifest.list.v2+json";

struct LayerInfo {
  LayerKind kind;
  std::string_view media;
  std::string_view word;
};
constexpr std::array kLayerInfos = {
#define GGUFGATE_LAYER(name, media, word) LayerInfo{LayerKind::k##name, media, word},
#include "stores/layers.def"
#undef GGUFGATE_LAYER
};

// KindOf also recognizes "application/vnd.ollama.image.tensor; name=…" as a tensor.
LayerKind KindOf(std::string_view media) {
  constexpr std::string_view kPrefix = "application/vnd.ollama.image.";
  media = media.substr(0, media.find_first_of("; "));
  if (!media.starts_with(kPrefix)) return LayerKind::kOther;
  const auto found =
      std::ranges::find(kLayerInfos, media.substr(kPrefix.size()), &LayerInfo::media);
  return found != kLayerInfos.end() ? found->kind : LayerKind::kOther;
}

std::string_view TextIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

bool IsDigest(std::string_view hex) {
  return hex.size() == kDigits &&
         hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// IsSpelled tells whether all known keys have Ollama's spelling. Ollama's parser ignores case, but
// other parsers would not find keys in another case.
bool IsSpelled(const Json& object) {
  constexpr std::array<std::string_view, 7> kKnown = {
      "schemaVersion", "mediaType", "config", "layers", "digest", "size", "manifests"};
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::all_of(object.items(), [&](const auto& item) {
    const std::string& key = item.key();
    return std::ranges::none_of(kKnown, [&](std::string_view known) {
      return key != known && std::ranges::equal(key, known, {}, lower, lower);
    });
  });
}

// Reading parses a manifest. Each function returns false if it finds a fault.
class Reading {
 public:
  explicit Reading(bool in_list) : in_list_(in_list) {}

  [[nodiscard]] OllamaManifest Take() {
    if (manifest_.fault) manifest_.layers.clear();
    return std::move(manifest_);
  }

  bool Fail(StoreManifestWording fault, std::uint64_t layer = 0) {
    manifest_.fault = fault;
    manifest_.fault_layer = layer;
    return false;
  }

  bool Root(const Json& root) {
    if (!root.is_object()) return Fail(StoreManifestWording::kNotJson);
    if (!IsSpelled(root)) return Fail(StoreManifestWording::kKeys);
    if (root.value("schemaVersion", Json()) != Json(2)) return Fail(StoreManifestWording::kVersion);
    if (TextIn(root, "mediaType") != kListType) return Manifest(root);
    if (in_list_) return Fail(StoreManifestWording::kNested);
    const auto list = root.find("manifests");
    if (list == root.end() || !list->is_array()) return Fail(StoreManifestWording::kLayers);
    return std::ranges::all_of(*list, [this](const Json& each) { return Child(each); });
  }

 private:
  // Child reads an entry of a list: a whole manifest, or the digest of a blob that holds one.
  bool Child(const Json& child) {
    if (!child.is_object()) return Fail(StoreManifestWording::kLayers);
    if (!IsSpelled(child)) return Fail(StoreManifestWording::kKeys);
    if (TextIn(child, "mediaType") == kListType) return Fail(StoreManifestWording::kNested);
    if (child.contains("layers")) return Manifest(child);
    return Layer(child, LayerKind::kManifest, /*sized=*/false);
  }

  bool Manifest(const Json& manifest) {
    const auto layers = manifest.find("layers");
    if (layers == manifest.end() || !layers->is_array()) return Fail(StoreManifestWording::kLayers);
    for (const Json& layer : *layers) {
      if (!layer.is_object()) return Fail(StoreManifestWording::kLayers);
      if (!Layer(layer, KindOf(TextIn(layer, "mediaType")), /*sized=*/true)) return false;
    }
    const auto config = manifest.find("config");
    if (config == manifest.end() || config->is_null()) return true;
    if (!config->is_object()) return Fail(StoreManifestWording::kLayers);
    // If a model has no configuration, Ollama writes no digest or an empty one.
    const auto digest = config->find("digest");
    if (digest == config->end() || *digest == "") return true;
    return Layer(*config, LayerKind::kConfig, /*sized=*/true);
  }

  bool Layer(const Json& layer, LayerKind kind, bool sized) {
    constexpr std::string_view kSha256 = "sha256:";
    const std::uint64_t number = manifest_.layers.size();
    if (!IsSpelled(layer)) return Fail(StoreManifestWording::kKeys);
    const std::string_view digest = TextIn(layer, "digest");
    if (!digest.starts_with(kSha256) || !IsDigest(digest.substr(kSha256.size()))) {
      return Fail(StoreManifestWording::kDigest, number);
    }
    OllamaManifest::Layer read{.kind = kind, .digest = std::string(digest.substr(kSha256.size()))};
    if (sized) {
      const auto size = layer.find("size");
      if (size == layer.end() || !size->is_number_unsigned())
        return Fail(StoreManifestWording::kSize, number);
      read.size = size->get<std::uint64_t>();
      if (*read.size > INT64_MAX) return Fail(StoreManifestWording::kSize, number);
    }
    manifest_.layers.push_back(std::move(read));
    return true;
  }

  bool in_list_;
  OllamaManifest manifest_;
};

StoreManifestWording WordingForFault(JsonFault fault) {
  switch (fault) {
    case JsonFault::kLarge:
    case JsonFault::kDeep:
      return StoreManifestWording::kLarge;
    case JsonFault::kKeys:
      return StoreManifestWording::kKeys;
    case JsonFault::kNone:
    case JsonFault::kNotJson:
      break;
  }
  return StoreManifestWording::kNotJson;
}

}  // namespace

std::string_view WordFor(LayerKind kind) {
  const auto found = std::ranges::find(kLayerInfos, kind, &LayerInfo::kind);
  if (found != kLayerInfos.end()) return found->word;
  return kind == LayerKind::kConfig     ? "configuration"
         : kind == LayerKind::kManifest ? "manifest"
                                        : "layer of an unknown kind";
}

OllamaManifest ParseOllamaManifest(std::string_view text, bool in_list) {
  Reading reading(in_list);
  const BoundedJson parsed = ParseBounded(text, kBounds);
  if (parsed.fault != JsonFault::kNone) {
    reading.Fail(WordingForFault(parsed.fault));
  } else {
    reading.Root(parsed.value);
  }
  return reading.Take();
}

}  // namespace ggufgate
