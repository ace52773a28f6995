// Changes of hyper-parameters that keep a model running. Dependent shapes follow when the model is
// finished.

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/records.h"
#include "mutate/models/running_model.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

bool SetU32(MutationContext& context, std::string_view key, std::uint64_t value) {
  return SetNumber(context, key, static_cast<std::uint32_t>(value));
}

// ChangeEach changes a u32, or each element of an array of u32.
template <typename Change>
bool ChangeEach(MutationContext& context, Entry& entry, Change change) {
  if (Is(entry, ValueType::kU32)) {
    return SetU32(context, entry.key, change(UnsignedOf(entry).value_or(0)));
  }
  if (!IsArrayOf(entry, ValueType::kU32)) return false;
  const MutableBytes copy = context.arena.Copy(entry.value);
  if (copy.empty()) return false;
  for (MutableBytes rest = copy.subspan(kArrayHead); rest.size() >= 4; rest = rest.subspan(4)) {
    const std::uint64_t value = change(Load<std::uint32_t>(rest, ByteOrder::kLittle));
    Store(static_cast<std::uint32_t>(value), ByteOrder::kLittle, rest);
  }
  entry.value = copy;
  return true;
}

std::string_view FullKey(MutationContext& context, std::string_view name) {
  return Joined(context.arena, {context.running->contract().architecture, ".", name});
}

}  // namespace

bool ModelFeedForward(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kWidths = {
      "feed_forward_length", "expert_feed_forward_length", "expert_shared_feed_forward_length"};
  constexpr std::array<std::uint64_t, 6> kMultiples = {32, 64, 128, 160, 192, 256};
  // No key determines the number of rows of ffn_up here: the width, or twice the width.
  if (context.running->HasCondition("gated-feed-forward")) return false;
  Entry* const entry = context.running->Find(context.random.Pick(kWidths));
  const std::uint64_t width = context.random.Pick(kMultiples);
  return entry != nullptr &&
         ChangeEach(context, *entry, [&](std::uint64_t old) { return old > 0 ? width : 0; });
}

bool ModelExperts(MutationContext& context) {
  const RunningModel& model = *context.running;
  const auto count = model.Number("expert_count");
  const auto used = model.Number("expert_used_count");
  if (count.value_or(0) == 0 || used.value_or(0) == 0) return false;
  if (model.Number("expert_group_count").value_or(0) > 1) return false;
  const std::uint64_t all = 2 * context.random.Between(1, 4);
  const std::uint64_t some = context.random.Between(1, std::min<std::uint64_t>(all, 3));
  return SetU32(context, FullKey(context, "expert_count"), all) &&
         SetU32(context, FullKey(context, "expert_used_count"), some);
}

bool ModelWider(MutationContext& context) {
  constexpr std::array<std::string_view, 8> kWidths = {
      "embedding_length", "attention.head_count",        "attention.head_count_kv",
      "ssm.inner_size",   "ssm.time_step_rank",          "dense_2_feat_in",
      "dense_3_feat_out", "attention.indexer.head_count"};
  const RunningModel& model = *context.running;
  constexpr std::uint64_t kWidest = 128;
  const auto width = model.Number("embedding_length");
  if (!width || *width > kWidest / 2) return false;
  const bool one_head = model.Number("attention.head_count_kv") == 1;
  for (const std::string_view name : kWidths) {
    Entry* const entry = model.Find(name);
    if (entry == nullptr || (one_head && name == "attention.head_count_kv")) continue;
    if (!ChangeEach(context, *entry, [](std::uint64_t old) { return 2 * old; })) return false;
  }
  return true;
}

bool ModelKeyValueHeads(MutationContext& context) {
  // Under any of these conditions, the key-value heads depend on other numbers.
  constexpr std::array<std::string_view, 7> kTied = {"first-key-value-heads-equal",
                                                     "split-heads-equal",
                                                     "indexer-heads",
                                                     "heads-of-states",
                                                     "latent-key",
                                                     "key-value-heads-later",
                                                     "inner-of-states"};
  const RunningModel& model = *context.running;
  if (model.Number("attention.head_count_kv").value_or(0) < 2) return false;
  if (std::ranges::any_of(kTied, [&](auto slug) { return model.HasCondition(slug); })) return false;
  return SetU32(context, FullKey(context, "attention.head_count_kv"), 1);
}

bool ModelPerLayer(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kPerLayer = {
      "feed_forward_length", "attention.head_count", "attention.head_count_kv"};
  const RunningModel& model = *context.running;
  const std::string_view name = context.random.Pick(kPerLayer);
  const auto value = model.Number(name);
  const auto layers = model.Number("block_count");
  if (!value || !layers || model.Number("nextn_predict_layers").value_or(0) > 0) return false;
  return SetEntry(context.draft,
                  ArrayEntry<std::uint32_t>(context.arena, FullKey(context, name), *layers,
                                            [&] { return static_cast<std::uint32_t>(*value); }));
}

bool ModelContext(MutationContext& context) {
  constexpr std::array<std::uint64_t, 6> kLengths = {128, 200, 256, 500, 1000, 4000};
  return SetU32(context, FullKey(context, "context_length"), context.random.Pick(kLengths));
}

bool ModelWindow(MutationContext& context) {
  if (context.running->Number("attention.sliding_window").value_or(0) == 0) return false;
  return SetU32(context, FullKey(context, "attention.sliding_window"),
                context.random.Between(1, 64));
}

bool ModelFloat(MutationContext& context) {
  constexpr std::array<float, 6> kEpsilons = {0, 1e-8F, 1e-6F, 1e-5F, 1e-3F, 0.25F};
  constexpr std::array<float, 4> kBases = {100, 10000, 500000, 1e6F};
  constexpr std::array<float, 4> kFactors = {0.25F, 0.5F, 1.5F, 2};
  const RunningModel& model = *context.running;
  Random& random = context.random;
  Entry* const entry = AnyOf(context.draft.entries, random, [&](const Entry& any) {
    return Is(any, ValueType::kF32) && any.key.starts_with(model.contract().architecture);
  });
  if (entry == nullptr) return false;
  const float old = Load<float>(entry->value, ByteOrder::kLittle);
  if (entry->key.ends_with("epsilon")) {
    return SetNumber(context, entry->key, random.Pick(kEpsilons));
  }
  if (entry->key.find("freq_base") != std::string_view::npos) {
    return !model.HasCondition("base-of-ocr") &&
           SetNumber(context, entry->key, random.Pick(kBases));
  }
  return SetNumber(context, entry->key, old * random.Pick(kFactors));
}

bool ModelRopeScaling(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kTypes = {"none", "linear", "yarn"};
  constexpr std::array<float, 4> kFactors = {1, 2, 4, 8};
  const std::string_view type = context.random.Pick(kTypes);
  const float factor = context.random.Pick(kFactors);
  return SetText(context, FullKey(context, "rope.scaling.type"), type) &&
         SetNumber(context, FullKey(context, "rope.scaling.factor"), factor);
}

bool ModelLayers(MutationContext& context) {
  // If layers differ or count twice, their number depends on other numbers.
  constexpr std::array<std::string_view, 6> kCounted = {"stacks-and-cycles", "posnet-layers",
                                                        "convnext-layers",   "shared-layers",
                                                        "twenty-own-layers", "loops"};
  const RunningModel& model = *context.running;
  const auto layers = model.Number("block_count");
  if (!layers || *layers > 4 || model.HasArrays() || !model.AllLayersAlike()) return false;
  if (std::ranges::any_of(kCounted, [&](auto slug) { return model.HasCondition(slug); }))
    return false;
  if (model.Number("nextn_predict_layers").value_or(0) > 0) return false;
  if (model.Find("attention.sliding_window_pattern") != nullptr) return false;
  return context.running->SetLayers(context.random.Between(1, 4));
}

}  // namespace ggufgate::mutate
