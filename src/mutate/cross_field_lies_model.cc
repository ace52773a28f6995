// Lies about hyper-parameters.

#include <array>

#include "mutate/compose.h"
#include "mutate/known_key.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = 512;
constexpr std::uint64_t kMostLayers = 512;

bool Any(const ArchitectureInfo&) { return true; }
bool Attends(const ArchitectureInfo& info) { return info.attention; }
bool DividesByHeads(const ArchitectureInfo& info) { return info.attention && info.heads_divide; }
bool Divides(const ArchitectureInfo& info) { return info.attention || !info.divisors.empty(); }

// SetNumber sets `{arch}.` and a name to a number of some type that holds it.
bool SetNumber(Bench& bench, std::string_view key, std::uint64_t value) {
  switch (bench.random.Below(3)) {
    case 0:
      return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value));
    case 1:
      if (value > INT64_MAX) return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value));
      return SetEntry(bench.draft,
                      NumberEntry(bench.scratch, key, static_cast<std::int64_t>(value)));
    default:
      if (value > UINT32_MAX) return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value));
      return SetEntry(bench.draft,
                      NumberEntry(bench.scratch, key, static_cast<std::uint32_t>(value)));
  }
}

void DropKey(Bench& bench, std::string_view key) {
  bench.draft.entries.Keep([&](const Entry& entry) { return entry.key != key; });
}

// IsJudgedByType tells whether rule hyperparameter-type alone speaks of a wrong type. The switches
// that add tokens would fall back on their defaults, and adapter.type turns another rule on.
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

bool LieHyperparameterType(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  std::size_t id = bench.random.Below(kKnownKeys.size());
  while (!IsJudgedByType(kKnownKeys[id])) id = (id + 1) % kKnownKeys.size();
  const KnownKey& known = kKnownKeys[id];
  const std::string_view key =
      known.of_architecture ? KeyFor(bench, *architecture, known.name) : known.name;
  if (!SetEntry(bench.draft, MisshapenEntry(bench, key, known.shape, 3))) return false;
  return Tell(bench, key, Part::kType);
}

bool LieHyperparameterElements(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  std::size_t id = bench.random.Below(kKnownKeys.size());
  const auto suits = [](const KnownKey& key) {
    return key.of_architecture &&
           (IsPerLayer(key.shape) || key.shape == KeyShape::kOneOrMoreIntegers ||
            key.shape == KeyShape::kIntegers);
  };
  while (!suits(kKnownKeys[id])) id = (id + 1) % kKnownKeys.size();
  const std::string_view key = KeyFor(bench, *architecture, kKnownKeys[id].name);
  constexpr std::array kElements = {ValueType::kF64, ValueType::kString, ValueType::kF64};
  const ValueType element = bench.random.Pick(kElements);
  if (!SetEntry(bench.draft, PlainArray(bench, key, element, bench.random.Below(5)))) return false;
  return Tell(bench, key, Part::kType);
}

bool LieArchitectureType(Bench& bench) {
  if (!MakeRoom(bench, kRoom) || !SetArchitecture(bench, "test")) return false;
  const Entry wrong = MisshapenEntry(bench, kArchitectureKey, KeyShape::kString, 2);
  return SetEntry(bench.draft, wrong) && Tell(bench, kArchitectureKey, Part::kType);
}

bool LieBlockCount(Bench& bench) {
  constexpr std::array<std::uint64_t, 8> kCounts = {
      0, kMostLayers + 1, 0, 1024, UINT32_MAX, std::uint64_t{1} << 31, INT64_MAX, UINT64_MAX};
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::string_view key = KeyFor(bench, *architecture, "block_count");
  const bool set = bench.random.OneIn(4)
                       ? SetEntry(bench.draft, NumberEntry(bench.scratch, key, std::int32_t{-1}))
                       : SetNumber(bench, key, bench.random.Pick(kCounts));
  return set && Tell(bench, key, Part::kValue);
}

bool LieHeadCountZero(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Attends);
  if (!architecture) return false;
  const std::string_view key = KeyFor(bench, *architecture, "attention.head_count");
  const bool negative = bench.random.OneIn(4);
  const bool set = negative
                       ? SetEntry(bench.draft, NumberEntry(bench.scratch, key, std::int16_t{-8}))
                       : SetNumber(bench, key, 0);
  return set && Tell(bench, key, Part::kValue);
}

bool LieHeadsDoNotDivide(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, DividesByHeads);
  if (!architecture) return false;
  const std::uint64_t heads = bench.random.Between(2, 64);
  const std::uint64_t whole = heads * bench.random.Below(64);
  const std::uint64_t width = whole + bench.random.Between(1, heads - 1);
  const std::string_view key = KeyFor(bench, *architecture, "attention.head_count");
  DropKey(bench, KeyFor(bench, *architecture, "attention.key_length"));
  return SetNumber(bench, KeyFor(bench, *architecture, "embedding_length"), width) &&
         SetNumber(bench, key, heads) && Tell(bench, key, Part::kValue);
}

bool LieDivisorZero(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Divides);
  if (!architecture) return false;
  std::string_view name = architecture->info->divisors;
  if (name.empty() || (architecture->info->attention && bench.random.OneIn(2))) {
    name = "attention.head_count_kv";
  } else {
    name = name.substr(bench.random.OneIn(2) ? 0 : name.rfind(' ') + 1);
    name = name.substr(0, name.find(' '));
  }
  const std::string_view key = KeyFor(bench, *architecture, name);
  return SetNumber(bench, key, 0) && Tell(bench, key, Part::kValue);
}

bool LiePerLayerLength(Bench& bench) {
  if (!MakeRoom(bench, 4 * kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  // The layers are made anew: no array of another length must be left.
  DropKeys(bench.draft, KeyFor(bench, *architecture, ""));
  DropKeys(bench.draft, "xielu.");
  Random& random = bench.random;
  const std::string_view name = random.Pick(kLayerKeys);
  const std::string_view key = KeyFor(bench, *architecture, name);
  const ValueType element = LayerElementOf(name);
  std::uint64_t count = kMostLayers + random.Between(1, 8);  // without block_count
  if (!random.OneIn(8)) {
    const std::uint64_t layers = random.Between(1, 12);
    if (!SetNumber(bench, KeyFor(bench, *architecture, "block_count"), layers)) return false;
    const std::array<std::uint64_t, 4> counts = {layers - 1, layers + 1, 0, 2 * layers};
    count = random.Pick(counts);
  }
  const bool narrow = count > kMostLayers;
  const bool set =
      SetEntry(bench.draft,
               PlainArray(bench, key,
                          narrow && element == ValueType::kI32 ? ValueType::kU8 : element, count));
  return set && Tell(bench, key, Part::kCount);
}

bool LieRopeSections(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::string_view key = KeyFor(bench, *architecture, "rope.dimension_sections");
  const std::uint64_t count = bench.random.Between(5, 9);
  return SetEntry(bench.draft, PlainArray(bench, key, ValueType::kI32, count)) &&
         Tell(bench, key, Part::kCount);
}

bool LieExpertsTooMany(Bench& bench) {
  constexpr std::array<std::uint64_t, 5> kCounts = {1025, 4096, UINT32_MAX, INT64_MAX, UINT64_MAX};
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::string_view key = KeyFor(bench, *architecture, "expert_count");
  return SetNumber(bench, key, bench.random.Pick(kCounts)) && Tell(bench, key, Part::kValue);
}

bool LieExpertsUsed(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::uint64_t count = bench.random.Between(2, 1024);
  const std::array<std::uint64_t, 4> used = {0, count + 1, 2 * count, UINT32_MAX};
  const std::string_view key = KeyFor(bench, *architecture, "expert_used_count");
  return SetNumber(bench, KeyFor(bench, *architecture, "expert_count"), count) &&
         SetNumber(bench, key, bench.random.Pick(used)) && Tell(bench, key, Part::kValue);
}

}  // namespace ggufgate::mutate
