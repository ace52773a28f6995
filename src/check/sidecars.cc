// Rules about what goes with a model: projectors, adapters, control vectors.

#include <algorithm>
#include <charconv>
#include <string>

#include "check/hyper_parameters.h"
#include "check/sink.h"
#include "check/values.h"

namespace ggufgate {
namespace {

// --- projectors --------------------------------------------------------------------------------

enum ProjectorWording : std::uint8_t { kType, kRange, kZero, kCount, kOdd };

// MostOf is the largest value a key may have; nothing for keys without a bound.
std::optional<std::uint64_t> MostOf(std::string_view key) {
  constexpr std::uint64_t kMostEdge = 16'384;                    // pixels
  constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 28;  // a square of that edge
  if (key == "clip.vision.block_count" || key == "clip.audio.block_count") return kMostLayers;
  if (key == "clip.vision.image_size" || key == "clip.vision.preproc_image_size") return kMostEdge;
  if (key == "clip.vision.image_min_pixels" || key == "clip.vision.image_max_pixels") {
    return kMostPixels;
  }
  return std::nullopt;
}

void CheckProjectorNumber(const Context& context, const MetadataEntry& entry, Sink& sink) {
  const std::optional<Integer> value = IntegerOf(context.document, entry);
  if (!value) return;
  Sink::Report report = {.where = entry.ValueRange(),
                         .subject = MetadataSubject(context.document, entry),
                         .observed = FactOf(*value)};
  const std::optional<std::uint64_t> most = MostOf(entry.key);
  if (most && (value->negative || value->magnitude > *most)) {
    report.allowed = *most;
    report.wording = kRange;
    sink.Add(std::move(report));
  } else if (entry.key == "clip.vision.patch_size" && value->magnitude == 0) {
    report.wording = kZero;
    sink.Add(std::move(report));
  }
}

void CheckProjectorArray(const Context& context, const MetadataEntry& entry, Sink& sink) {
  constexpr std::uint64_t kColours = 3;
  const bool colours =
      entry.key == "clip.vision.image_mean" || entry.key == "clip.vision.image_std";
  const bool pairs = entry.key == "clip.vision.image_grid_pinpoints";
  if (!(colours && entry.count != kColours) && !(pairs && entry.count % 2 != 0)) return;
  Sink::Report report = {.where = {.begin = entry.ValueRange().begin + 4, .size = 8},
                         .subject = MetadataSubject(context.document, entry),
                         .observed = entry.count,
                         .wording = kOdd};
  if (colours) {
    report.allowed = kColours;
    report.wording = kCount;
  }
  sink.Add(std::move(report));
}

}  // namespace

void CheckProjector(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!entry.key.starts_with("clip.")) continue;
    const KeyInfo* key = FindKey(entry.key, "");
    if (key == nullptr) continue;
    if (!HasShape(entry, key->shape)) {
      sink.Add({.where = entry.TypeRange(),
                .subject = MetadataSubject(context.document, entry),
                .observed = TextFact(TypeText(entry)),
                .allowed = TextFact(WordFor(key->shape)),
                .wording = kType});
    } else if (entry.type == ValueType::kArray) {
      CheckProjectorArray(context, entry, sink);
    } else {
      CheckProjectorNumber(context, entry, sink);
    }
  }
}

namespace {

// --- adapters ----------------------------------------------------------------------------------

enum AdapterWording : std::uint8_t { kHalf, kDirection, kShape };

constexpr std::string_view kLoraA = ".lora_a";
constexpr std::string_view kLoraB = ".lora_b";

// Half is one of the two tensors that a LoRA adapter has for a tensor of the model.
struct Half {
  std::string_view base;  // the model's tensor
  bool is_b;
  const TensorInfo* tensor;
};

void CheckHalves(const Context& context, Sink& sink) {
  std::vector<Half> halves;
  for (const TensorInfo& tensor : context.document.tensors) {
    const bool is_b = tensor.name.ends_with(kLoraB);
    if (!is_b && !tensor.name.ends_with(kLoraA)) continue;
    halves.push_back({tensor.name.substr(0, tensor.name.size() - kLoraA.size()), is_b, &tensor});
  }
  std::ranges::sort(halves, [](const Half& a, const Half& b) {
    return a.base != b.base ? a.base < b.base : a.is_b < b.is_b;
  });
  for (auto half = halves.begin(); half != halves.end();) {
    const auto end = std::find_if(half, halves.end(),
                                  [&](const Half& other) { return other.base != half->base; });
    // The halves of one tensor: all of a kind, or both kinds are there.
    if (half->is_b == (end - 1)->is_b) {
      const std::string_view other = half->is_b ? kLoraA : kLoraB;
      sink.Add({.where = half->tensor->NameRange(),
                .subject = TensorSubject(context.document, *half->tensor),
                .other = TextFact(std::string(half->base) + std::string(other)),
                .wording = kHalf});
    }
    half = end;
  }
}

constexpr std::string_view kDirectionPrefix = "direction.";

bool IsDirectionOfALayer(std::string_view number) {
  std::uint64_t layer = 0;
  const auto [end, error] = std::from_chars(number.begin(), number.end(), layer);
  return error == std::errc() && end == number.end() && layer >= 1 && layer <= kMostLayers;
}

void CheckDirection(const Context& context, const TensorInfo& tensor, Sink& sink) {
  const std::string_view number = tensor.name.substr(kDirectionPrefix.size());
  if (!IsDirectionOfALayer(number)) {
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = TextFact(number),
              .allowed = kMostLayers,
              .wording = kDirection});
    return;
  }
  const bool flat = std::ranges::all_of(std::span(tensor.dims).subspan(1),
                                        [](std::uint64_t dim) { return dim == 1; });
  if (flat && tensor.type_id == static_cast<std::uint32_t>(TensorType::kF32)) return;
  const TensorTypeInfo* type = FindTensorType(tensor.type_id);
  sink.Add({.where = flat ? tensor.TypeRange() : tensor.DimensionsRange(),
            .subject = TensorSubject(context.document, tensor),
            .observed = TextFact(type != nullptr ? type->name : "of an unknown type"),
            .allowed = std::uint64_t{tensor.dimension_count},
            .wording = kShape});
}

}  // namespace

void CheckAdapter(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // Half a pair may still come behind a fault, and stand in another shard.
  if (!IsWhole(document) || ShardsOf(document).value_or(2) > 1) return;
  if (TypeOfFile(document) == "adapter" || document.Find("adapter.type") != nullptr) {
    CheckHalves(context, sink);
  }
  const std::string_view architecture = ArchitectureOf(document);
  if (!architecture.empty() && architecture != "controlvector") return;
  for (const TensorInfo& tensor : document.tensors) {
    if (tensor.name.starts_with(kDirectionPrefix)) CheckDirection(context, tensor, sink);
  }
}

}  // namespace ggufgate
