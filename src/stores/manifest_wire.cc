// Encodes manifests. Sender and receiver belong to one run of one program, so the format may change
// with each version.

#include "bytes/byte_order.h"
#include "stores/ollama_manifest.h"

namespace ggufgate {
namespace {

constexpr std::size_t kDigits = 64;
constexpr std::uint64_t kNone = UINT64_MAX;  // no fault, no size
constexpr std::size_t kLayerBytes = 2 * sizeof(std::uint64_t) + kDigits;

class Writer {
 public:
  void Number(std::uint64_t number) {
    bytes_.resize(bytes_.size() + sizeof(number));
    Store(number, ByteOrder::kLittle, MutableBytes(bytes_).last(sizeof(number)));
  }
  void Text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  [[nodiscard]] std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Reader {
 public:
  explicit Reader(Bytes bytes) : rest_(bytes) {}

  [[nodiscard]] std::optional<std::uint64_t> Number() {
    if (rest_.size() < sizeof(std::uint64_t)) return std::nullopt;
    const auto number = Load<std::uint64_t>(rest_, ByteOrder::kLittle);
    rest_ = rest_.subspan(sizeof(number));
    return number;
  }
  [[nodiscard]] std::optional<std::string> Digest() {
    if (rest_.size() < kDigits) return std::nullopt;
    const std::string_view text = AsText(rest_.first(kDigits));
    if (text.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
    rest_ = rest_.subspan(kDigits);
    return std::string(text);
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  Bytes rest_;
};

std::optional<OllamaManifest::Layer> ReadLayer(Reader& reader) {
  const std::optional<std::uint64_t> kind = reader.Number();
  const std::optional<std::uint64_t> size = reader.Number();
  std::optional<std::string> digest = reader.Digest();
  if (!kind || *kind >= kLayerKinds || !size || !digest) return std::nullopt;
  OllamaManifest::Layer layer{.kind = static_cast<LayerKind>(*kind), .digest = *std::move(digest)};
  if (*size != kNone) layer.size = *size;
  return layer;
}

std::optional<OllamaManifest> ReadManifest(Reader& reader) {
  const std::optional<std::uint64_t> fault = reader.Number();
  const std::optional<std::uint64_t> fault_layer = reader.Number();
  const std::optional<std::uint64_t> layers = reader.Number();
  if (!fault || !fault_layer || !layers || *layers > reader.left() / kLayerBytes) {
    return std::nullopt;
  }
  OllamaManifest manifest{.fault_layer = *fault_layer};
  if (*fault != kNone) {
    if (*fault > static_cast<std::uint64_t>(StoreManifestWording::kNested) || *layers != 0) {
      return std::nullopt;
    }
    manifest.fault = static_cast<StoreManifestWording>(*fault);
  }
  for (std::uint64_t i = 0; i < *layers; ++i) {
    std::optional<OllamaManifest::Layer> layer = ReadLayer(reader);
    if (!layer) return std::nullopt;
    manifest.layers.push_back(*std::move(layer));
  }
  return manifest;
}

}  // namespace

std::vector<std::uint8_t> WriteOllamaManifests(const std::vector<OllamaManifest>& manifests) {
  Writer writer;
  for (const OllamaManifest& manifest : manifests) {
    writer.Number(manifest.fault ? static_cast<std::uint64_t>(*manifest.fault) : kNone);
    writer.Number(manifest.fault_layer);
    writer.Number(manifest.layers.size());
    for (const OllamaManifest::Layer& layer : manifest.layers) {
      writer.Number(static_cast<std::uint64_t>(layer.kind));
      writer.Number(layer.size.value_or(kNone));
      writer.Text(layer.digest);
    }
  }
  return writer.Take();
}

std::optional<std::vector<OllamaManifest>> ReadOllamaManifests(Bytes bytes, std::size_t count) {
  Reader reader(bytes);
  std::vector<OllamaManifest> manifests;
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<OllamaManifest> manifest = ReadManifest(reader);
    if (!manifest) return std::nullopt;
    manifests.push_back(*std::move(manifest));
  }
  if (reader.left() != 0) return std::nullopt;
  return manifests;
}

}  // namespace ggufgate
