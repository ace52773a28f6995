// Lies about hyper-parameters.

#include <array>

#include "format/loader_limits.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kParameterRoom = kRoomForKeys;

bool Any(const ArchitectureInfo&) { return true; }
bool Attends(const ArchitectureInfo& info) { return info.attention; }
bool DividesByHeads(const ArchitectureInfo& info) { return info.attention && info.heads_divide; }
bool Divides(const ArchitectureInfo& info) { return info.attention || !info.divisors.empty(); }

// SetInteger sets `{arch}.` and a name to a number, in some type that can hold it.
bool SetInteger(MutationContext& context, std::string_view key, std::uint64_t value) {
  switch (context.random.Below(3)) {
    case 0:
      return SetNumber(context, key, value);
    case 1:
      if (value > INT64_MAX) return SetNumber(context, key, value);
      return SetNumber(context, key, static_cast<std::int64_t>(value));
    default:
      if (value > UINT32_MAX) return SetNumber(context, key, value);
      return SetNumber(context, key, static_cast<std::uint32_t>(value));
  }
}

// IsJudgedByType returns whether only rule hyperparameter-type reports a wrong type of a key. With
// a wrong type, the switches that add tokens would use their defaults, and adapter.type enables
// another rule.
bool IsJudgedByType(const KnownKey& key) {
  if (key.of_architecture) return true;
  if (key.name == kArchitectureKey || key.name == "adapter.type") return false;
  if (key.name.starts_with("split.") || key.name.starts_with("clip.")) return false;
  if (!key.name.starts_with("tokenizer.")) return true;
  return (key.shape == KeyShape::kBool || key.shape == KeyShape::kString) &&
         !key.name.starts_with("tokenizer.ggml.add_") && key.name != "tokenizer.chat_template";
}

constexpr std::array<std::string_view, 12> kLayerKeys = {
    "feed_forward_length",        "attention.head_count",       "attention.head_count_kv",
    "expert_used_count",          "expert_feed_forward_length", "attention.sliding_window_pattern",
    "attention.recurrent_layers", "swiglu_clamp_exp",           "swiglu_clamp_shexp",
    "feed_forward_length",        "attention.head_count",       "attention.head_count_kv"};

ValueType LayerElementOf(std::string_view name) {
  if (name.starts_with("swiglu")) return ValueType::kF32;
  return name.ends_with("pattern") ? ValueType::kBool : ValueType::kI32;
}

}  // namespace

bool LieHyperparameterType(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  std::size_t id = context.random.Below(kKnownKeys.size());
  while (!IsJudgedByType(kKnownKeys[id])) id = (id + 1) % kKnownKeys.size();
  const KnownKey& known = kKnownKeys[id];
  const std::string_view key =
      known.of_architecture ? KeyFor(context, *architecture, known.name) : known.name;
  if (!SetEntry(context.draft, MisshapenEntry(context, key, known.shape, 3))) return false;
  return Tell(context, key, Part::kType);
}

bool LieHyperparameterElements(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  std::size_t id = context.random.Below(kKnownKeys.size());
  const auto suits = [](const KnownKey& key) {
    return key.of_architecture &&
           (IsPerLayer(key.shape) || key.shape == KeyShape::kOneOrMoreIntegers ||
            key.shape == KeyShape::kIntegers);
  };
  while (!suits(kKnownKeys[id])) id = (id + 1) % kKnownKeys.size();
  const std::string_view key = KeyFor(context, *architecture, kKnownKeys[id].name);
  constexpr std::array kElements = {ValueType::kF64, ValueType::kString, ValueType::kF64};
  const ValueType element = context.random.Pick(kElements);
  if (!SetEntry(context.draft, PlainArray(context, key, element, context.random.Below(5))))
    return false;
  return Tell(context, key, Part::kType);
}

bool LieArchitectureType(MutationContext& context) {
  if (!MakeRoom(context, kParameterRoom) || !SetArchitecture(context, "test")) return false;
  const Entry wrong = MisshapenEntry(context, kArchitectureKey, KeyShape::kString, 2);
  return TellEntry(context, wrong, Part::kType);
}

bool LieBlockCount(MutationContext& context) {
  constexpr std::array<std::uint64_t, 8> kCounts = {
      0,          kMostLayers + 1,        0,         2 * kMostLayers,
      UINT32_MAX, std::uint64_t{1} << 31, INT64_MAX, UINT64_MAX};
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  const std::string_view key = KeyFor(context, *architecture, "block_count");
  const bool set = context.random.OneIn(4) ? SetNumber(context, key, std::int32_t{-1})
                                           : SetInteger(context, key, context.random.Pick(kCounts));
  return set && Tell(context, key, Part::kValue);
}

bool LieHeadCountZero(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Attends, kParameterRoom);
  if (!architecture) return false;
  const std::string_view key = KeyFor(context, *architecture, "attention.head_count");
  const bool negative = context.random.OneIn(4);
  const bool set =
      negative ? SetNumber(context, key, std::int16_t{-8}) : SetInteger(context, key, 0);
  return set && Tell(context, key, Part::kValue);
}

bool LieHeadsDoNotDivide(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, DividesByHeads, kParameterRoom);
  if (!architecture) return false;
  const std::uint64_t heads = context.random.Between(2, 64);
  const std::uint64_t whole = heads * context.random.Below(64);
  const std::uint64_t width = whole + context.random.Between(1, heads - 1);
  const std::string_view key = KeyFor(context, *architecture, "attention.head_count");
  DropKey(context.draft, KeyFor(context, *architecture, "attention.key_length"));
  return SetInteger(context, KeyFor(context, *architecture, "embedding_length"), width) &&
         SetInteger(context, key, heads) && Tell(context, key, Part::kValue);
}

bool LieDivisorZero(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Divides, kParameterRoom);
  if (!architecture) return false;
  std::string_view name = architecture->info->divisors;
  if (name.empty() || (architecture->info->attention && context.random.OneIn(2))) {
    name = "attention.head_count_kv";
  } else {
    name = name.substr(context.random.OneIn(2) ? 0 : name.rfind(' ') + 1);
    name = name.substr(0, name.find(' '));
  }
  const std::string_view key = KeyFor(context, *architecture, name);
  return SetInteger(context, key, 0) && Tell(context, key, Part::kValue);
}

bool LiePerLayerLength(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, 4 * kParameterRoom);
  if (!architecture) return false;
  // The layers change: drop arrays of another length.
  DropKeys(context.draft, KeyFor(context, *architecture, ""));
  DropKeys(context.draft, "xielu.");
  Random& random = context.random;
  const std::string_view name = random.Pick(kLayerKeys);
  const std::string_view key = KeyFor(context, *architecture, name);
  const ValueType element = LayerElementOf(name);
  std::uint64_t count = kMostLayers + random.Between(1, 8);  // without block_count
  if (!random.OneIn(8)) {
    const std::uint64_t layers = random.Between(1, 12);
    if (!SetInteger(context, KeyFor(context, *architecture, "block_count"), layers)) return false;
    const std::array<std::uint64_t, 4> counts = {layers - 1, layers + 1, 0, 2 * layers};
    count = random.Pick(counts);
  }
  const bool narrow = count > kMostLayers;
  const bool set =
      SetEntry(context.draft,
               PlainArray(context, key,
                          narrow && element == ValueType::kI32 ? ValueType::kU8 : element, count));
  return set && Tell(context, key, Part::kCount);
}

bool LieRopeSections(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  const std::string_view key = KeyFor(context, *architecture, "rope.dimension_sections");
  const std::uint64_t count = context.random.Between(5, 9);
  return TellEntry(context, PlainArray(context, key, ValueType::kI32, count), Part::kCount);
}

bool LieExpertsTooMany(MutationContext& context) {
  constexpr std::array<std::uint64_t, 5> kCounts = {kMostExperts + 1, 4096, UINT32_MAX, INT64_MAX,
                                                    UINT64_MAX};
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  const std::string_view key = KeyFor(context, *architecture, "expert_count");
  return SetInteger(context, key, context.random.Pick(kCounts)) && Tell(context, key, Part::kValue);
}

bool LieExpertsUsed(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, kParameterRoom);
  if (!architecture) return false;
  const std::uint64_t count = context.random.Between(2, kMostExperts);
  const std::array<std::uint64_t, 4> used = {0, count + 1, 2 * count, UINT32_MAX};
  const std::string_view key = KeyFor(context, *architecture, "expert_used_count");
  return SetInteger(context, KeyFor(context, *architecture, "expert_count"), count) &&
         SetInteger(context, key, context.random.Pick(used)) && Tell(context, key, Part::kValue);
}

}  // namespace ggufgate::mutate
