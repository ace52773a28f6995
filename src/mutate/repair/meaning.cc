// Keys that loaders interpret: kept if their values are valid, alone and together.

#include "mutate/repair/meaning.h"

#include <limits>

#include "format/key.h"
#include "format/loader_limits.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/harmless_template.h"
#include "mutate/repair/examples.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongestArchitecture = 64;
constexpr std::size_t kMostTemplates = 64;
constexpr std::string_view kNamedTemplate = "tokenizer.chat_template.";

// Bound is the allowed range of a number that loaders use. The default must be all zeros: g++ 12
// sets unset members to zero in the table below, regardless of their initialisers.
struct Bound {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  bool bounded = false;
};

constexpr auto kBounds = [] {
  std::array<Bound, kKnownKeys.size()> bounds{};
  const auto set = [&](KeyId id, std::uint64_t least, std::uint64_t most) {
    bounds.at(id) = {.least = least, .most = most, .bounded = true};
  };
  set(IdOf("{arch}.block_count"), 1, kMostLayers);
  set(IdOf("{arch}.decoder_block_count"), 0, kMostLayers);
  set(IdOf("{arch}.expert_count"), 0, kMostExperts);
  set(IdOf("split.tensors.count"), 0, INT32_MAX);
  set(IdOf("clip.audio.block_count"), 0, kMostLayers);
  set(IdOf("clip.vision.preproc_image_size"), 0, kLongestImageEdge);
  set(IdOf("clip.vision.image_min_pixels"), 0, kMostImagePixels);
  return bounds;
}();

bool IsWithinBound(const Entry& entry, KeyId id) {
  const Bound& bound = kBounds[id];
  if (!bound.bounded) return true;
  const std::optional<std::uint64_t> value = UnsignedOf(entry);
  return value && *value >= bound.least && *value <= bound.most;
}

// HasRightCount checks arrays with a length that the format fixes.
bool HasRightCount(const Entry& entry, KeyId id) {
  constexpr std::uint64_t kColours = 3;
  switch (id) {
    case IdOf("clip.vision.image_mean"):
    case IdOf("clip.vision.image_std"):
      return CountOf(entry) == kColours;
    case IdOf("clip.vision.image_grid_pinpoints"):
      return CountOf(entry) % 2 == 0;
    case IdOf("{arch}.rope.dimension_sections"):
      return CountOf(entry) <= 4;
    default:
      return true;
  }
}

// IsTolerable: writers store ids as i32 with -1 for no token, integral scores as i32, and token
// types as u32.
bool IsTolerable(const Entry& entry, KeyId id) {
  if (id == IdOf("tokenizer.ggml.scores")) return IsArrayOf(entry, ValueType::kI32);
  if (id == IdOf("tokenizer.ggml.token_type")) return IsArrayOf(entry, ValueType::kU32);
  if (!Is(entry, ValueType::kI32) || !kKnownKeys[id].name.ends_with("_token_id")) return false;
  return Load<std::int32_t>(entry.value, ByteOrder::kLittle) >= -1;
}

bool IsSoundAlone(const Entry& entry, KeyId id) {
  if (!HasShape(entry, kKnownKeys[id].shape)) return IsTolerable(entry, id);
  if (!IsWithinBound(entry, id) || !HasRightCount(entry, id)) return false;
  return id != IdOf("tokenizer.chat_template") || IsHarmlessTemplate(*TextOf(entry));
}

// HoldsNul: if loaders interpret a text with a NUL, readers that disagree about its end read
// different models.
bool HoldsNul(const Entry& entry) {
  return TextOf(entry).value_or("").find('\0') != std::string_view::npos;
}

// KeepSoundOnes drops entries that are wrong regardless of the rest of the file, and records the
// others.
void KeepSoundOnes(const MutationContext& context, KnownEntries& known,
                   std::string_view architecture) {
  std::size_t kept = 0;
  std::size_t templates = 0;
  known.draft().entries.Keep([&](const Entry& entry) {
    if (HoldsNul(entry) && IsReadByLoaders(entry.key, architecture)) return false;
    const KeyId id = FindKeyId(entry.key, architecture);
    if (id == kUnknownKey) {
      if (entry.key.starts_with(kNamedTemplate)) {
        const std::optional<std::string_view> text = TextOf(entry);
        if (!text || ++templates > kMostTemplates || !IsHarmlessTemplate(*text)) return false;
      }
    } else {
      if (!IsSoundAlone(entry, id)) return false;
    }
    if (!MayStay(context, entry, architecture)) return false;
    if (id != kUnknownKey) known.Note(id, kept);
    ++kept;
    return true;
  });
}

// SoundArchitecture returns the architecture of the file. If the name is invalid, so that other
// keys would be ambiguous, it drops the entry.
std::string_view SoundArchitecture(Draft& draft) {
  const Entry* const entry = draft.Find(kArchitectureKey);
  if (entry == nullptr) return {};
  const std::string_view name = TextOf(*entry).value_or(".");
  if (name.size() <= kLongestArchitecture && name.find('.') == name.npos && !HoldsNul(*entry)) {
    return name;
  }
  draft.entries.Remove(static_cast<std::size_t>(entry - draft.entries.Things().data()));
  return {};
}

}  // namespace

void RepairMeaning(MutationContext& context) {
  Draft& draft = context.draft;
  const std::string_view architecture = SoundArchitecture(draft);
  KnownEntries known(draft);
  KeepSoundOnes(context, known, architecture);
  KeepSoundHyperParameters(known, architecture.empty() ? nullptr : FindArchitecture(architecture));
  KeepSoundTokenizer(known);
  KeepSoundAdapter(context);
  KeepSoundShard(known);
  if (known.dropped()) {
    draft.entries.Keep([](const Entry& entry) { return !entry.key.empty(); });
  }
}

}  // namespace ggufgate::mutate
