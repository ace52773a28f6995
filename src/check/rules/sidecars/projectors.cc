// Rules about projectors.

#include <algorithm>
#include <array>
#include <string_view>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

// MostOf returns the largest allowed value of a key; nullopt without a limit.
std::optional<std::uint64_t> MostOf(std::string_view key) {
  if (key == "clip.vision.block_count" || key == "clip.audio.block_count") return kMostLayers;
  if (key == "clip.vision.image_size" || key == "clip.vision.preproc_image_size") {
    return kLongestImageEdge;
  }
  if (key == "clip.vision.image_min_pixels" || key == "clip.vision.image_max_pixels") {
    return kMostImagePixels;
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
    report.wording = ProjectorWording::kRange;
    sink.Add(std::move(report));
  } else if (entry.key == "clip.vision.patch_size" && value->magnitude == 0) {
    report.wording = ProjectorWording::kZero;
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
                         .wording = ProjectorWording::kOdd};
  if (colours) {
    report.allowed = kColours;
    report.wording = ProjectorWording::kCount;
  }
  sink.Add(std::move(report));
}

constexpr std::array<std::string_view, 4> kTypeKeys = {
    "clip.projector_type", "clip.vision.projector_type", "clip.audio.projector_type",
    "clip.gen.audio.projector_type"};

constexpr std::array kProjectorTypes = {
#define GGUFGATE_PROJECTOR_TYPE(word) std::string_view(word),
#include "format/projector_types.def"
#undef GGUFGATE_PROJECTOR_TYPE
};

// CheckWord checks one of kTypeKeys.
void CheckWord(const Document& document, const MetadataEntry& entry, Sink& sink) {
  const std::string_view word = TextOf(document, entry).value_or("");
  if (std::ranges::find(kProjectorTypes, word) != kProjectorTypes.end()) return;
  sink.Add({.where = entry.ElementsRange(),
            .subject = MetadataSubject(document, entry),
            .observed = TextFact(word),
            .wording = ProjectorWording::kUnknownType,
            .at_most = Severity::kWarning});
}

// CheckType: clip.cpp of llama.cpp v0.5.0 throws "unknown projector type" if no key has a known
// type. The first key is for all parts. If it is absent or empty, each part has a separate key.
void CheckType(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (context.parameters.architecture() != "clip" || document.tensors.empty()) return;
  bool told = false;
  for (const std::string_view key : kTypeKeys) {
    const MetadataEntry* entry = document.Find(key);
    if (entry == nullptr) continue;
    const bool text = entry->type == ValueType::kString;  // another rule reports other types
    const bool for_all = key == kTypeKeys.front();
    const bool empty = text && TextOf(document, *entry).value_or("").empty();
    told = told || !for_all || !empty;
    if (text && !(for_all && empty)) CheckWord(document, *entry, sink);
    if (for_all && !empty) return;
  }
  if (told) return;
  const MetadataEntry& entry = *document.Find(kArchitectureKey);
  sink.Add({.where = entry.ElementsRange(),
            .subject = MetadataSubject(document, entry),
            .wording = ProjectorWording::kNoType,
            .at_most = Severity::kWarning});
}

}  // namespace

void CheckProjector(const Context& context, Sink& sink) {
  CheckType(context, sink);
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!entry.key.starts_with("clip.")) continue;
    const KeyInfo* key = FindKey(entry.key, "");
    if (key == nullptr) continue;
    if (!HasShape(entry, key->shape)) {
      sink.Add({.where = entry.TypeRange(),
                .subject = MetadataSubject(context.document, entry),
                .observed = TextFact(TypeText(entry)),
                .allowed = TextFact(WordFor(key->shape)),
                .wording = ProjectorWording::kType});
    } else if (entry.type == ValueType::kArray) {
      CheckProjectorArray(context, entry, sink);
    } else {
      CheckProjectorNumber(context, entry, sink);
    }
  }
}

}  // namespace ggufgate
