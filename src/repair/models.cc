// Repairs of keys with a meaning for models: token types, layers, shards.

#include <algorithm>
#include <array>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/values.h"
#include "parse/model.h"
#include "repair/workbench.h"

namespace ggufgate {
namespace {

// --- token types ---------------------------------------------------------------------------------

constexpr std::string_view kTokenTypes = "tokenizer.ggml.token_type";
constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::uint64_t kLastTokenType = 6;  // byte

// AsI32s returns the payload of the same array with elements of i32; nullopt if an element is not a
// token type.
std::optional<std::vector<std::uint8_t>> AsI32s(const Document& document,
                                                const MetadataEntry& entry) {
  Encoder payload(document.byte_order);
  payload.Put(IdOf(ValueType::kI32)).Put(entry.count);
  for (std::uint64_t i = 0; i < entry.count; ++i) {
    const std::optional<Integer> element = IntegerAt(document, entry, i);
    if (!element || element->negative || element->magnitude > kLastTokenType) return std::nullopt;
    payload.Put(static_cast<std::int32_t>(element->magnitude));
  }
  return payload.Take();
}

}  // namespace

void RepairTokenTypes(Workbench& bench) {
  const Document& document = bench.document;
  const MetadataEntry* entry = document.Find(kTokenTypes);
  if (entry == nullptr || entry->IsArrayOf(ValueType::kI32)) return;
  const MetadataEntry* tokens = document.Find(kTokens);
  const bool fits = tokens != nullptr && tokens->IsArrayOf(ValueType::kString) &&
                    entry->type == ValueType::kArray && entry->count == tokens->count;
  std::optional<std::vector<std::uint8_t>> payload;
  if (fits) payload = AsI32s(document, *entry);
  if (!payload) {
    bench.Leave(DoubtId::kTokenTypeForm, entry->key);
    return;
  }
  bench.Replace(*entry, ValueType::kArray, *std::move(payload));
  bench.Say({.repair = RepairId::kTokenTypes,
             .subject = SubjectOf(entry->key),
             .a = entry->count,
             .text = InfoOf(entry->element_type).word});
}

// --- layers that predict further tokens ----------------------------------------------------------

namespace {

// PayloadOf encodes a number that is at most the one that the entry has, so that it fits.
std::vector<std::uint8_t> PayloadOf(ValueType type, std::uint64_t value, ByteOrder order) {
  Encoder payload(order);
  switch (ScalarBytes(IdOf(type))) {
    case 1:
      payload.Put(static_cast<std::uint8_t>(value));
      break;
    case 2:
      payload.Put(static_cast<std::uint16_t>(value));
      break;
    case 4:
      payload.Put(static_cast<std::uint32_t>(value));
      break;
    default:
      payload.Put(value);
  }
  return payload.Take();
}

void Lower(Workbench& bench, const MetadataEntry& entry, std::uint64_t from, std::uint64_t to) {
  bench.Replace(entry, entry.type, PayloadOf(entry.type, to, bench.document.byte_order));
  bench.Say({.repair = RepairId::kNextLayers, .subject = SubjectOf(entry.key), .a = from, .b = to});
}

// LayersThere tells for each of `count` layers whether the file has a tensor of it.
std::vector<bool> LayersThere(const Document& document, std::uint64_t count) {
  std::vector<bool> there(count);
  for (const TensorInfo& tensor : document.tensors) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    if (layer && static_cast<std::uint64_t>(*layer) < count) {
      there.at(static_cast<std::size_t>(*layer)) = true;
    }
  }
  return there;
}

// HasArrayOf tells whether a hyper-parameter has `count` elements, one for each layer.
bool HasArrayOf(const Document& document, std::string_view architecture, std::uint64_t count) {
  return std::ranges::any_of(document.metadata, [&](const MetadataEntry& entry) {
    return entry.type == ValueType::kArray && entry.count == count &&
           entry.key.starts_with(architecture) &&
           entry.key.substr(architecture.size()).starts_with('.');
  });
}

// DoubtOfLayers returns the reason why the last `next` of `all` layers cannot be given up.
std::optional<DoubtId> DoubtOfLayers(const Workbench& bench, std::uint64_t all,
                                     std::uint64_t next) {
  if (next == 0 || next >= all) return DoubtId::kNextLayersNumbers;
  const std::vector<bool> there = LayersThere(bench.document, all);
  const auto first_next = there.end() - static_cast<std::ptrdiff_t>(next);
  if (std::find(first_next, there.end(), true) != there.end()) return DoubtId::kNextLayersThere;
  if (std::find(there.begin(), first_next, false) != first_next) {
    return DoubtId::kNextLayersNumbers;
  }
  const std::string_view architecture = HyperParameters(bench.document).architecture();
  if (HasArrayOf(bench.document, architecture, all)) return DoubtId::kNextLayersArray;
  return std::nullopt;
}

}  // namespace

void RepairNextLayers(Workbench& bench) {
  if (!bench.Has(TensorMissingWording::kNextLayer)) return;
  const HyperParameters parameters(bench.document);
  const MetadataEntry* next = parameters.Find("nextn_predict_layers");
  const MetadataEntry* all = parameters.Find("block_count");
  if (next == nullptr || all == nullptr) return;
  const std::optional<std::uint64_t> next_layers = parameters.Unsigned("nextn_predict_layers");
  const std::optional<std::uint64_t> all_layers = parameters.Layers();
  const std::optional<DoubtId> doubt = next_layers && all_layers
                                           ? DoubtOfLayers(bench, *all_layers, *next_layers)
                                           : DoubtId::kNextLayersNumbers;
  if (doubt) {
    bench.Leave(*doubt, next->key);
    return;
  }
  Lower(bench, *next, *next_layers, 0);
  Lower(bench, *all, *all_layers, *all_layers - *next_layers);
}

// --- shards --------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kShardNumber = "split.no";
constexpr std::string_view kShardCount = "split.count";
constexpr std::string_view kShardTensors = "split.tensors.count";
constexpr std::array<std::string_view, 3> kShardKeys = {kShardNumber, kShardCount, kShardTensors};

// NumberOf returns an integer that is not negative, of any type.
std::optional<std::uint64_t> NumberOf(const Document& document, std::string_view key) {
  const MetadataEntry* entry = document.Find(key);
  if (entry == nullptr) return std::nullopt;
  const std::optional<Integer> value = IntegerOf(document, *entry);
  return value ? value->Unsigned() : std::nullopt;
}

// LacksNothing tells whether the rules know the architecture, and miss no tensor of it.
bool LacksNothing(const Workbench& bench) {
  constexpr std::array kSigns = {RuleId::kArchitectureMissing, RuleId::kArchitectureUnknown,
                                 RuleId::kTensorMissing, RuleId::kTensorShape};
  return std::ranges::none_of(kSigns, [&](RuleId rule) { return bench.Has(rule); });
}

// HasAll is true of a first shard with the tensors of all shards. A further shard may have all
// tensors too: llama-gguf-split --no-tensor-first-split leaves only the metadata in the first.
bool HasAll(const Document& document) {
  return NumberOf(document, kShardNumber) == 0 && !document.tensors.empty() &&
         NumberOf(document, kShardTensors) == document.tensors.size();
}

// DoubtOfModel returns the reason why the file may be one of several shards.
std::optional<DoubtId> DoubtOfModel(const Workbench& bench) {
  if (HasAll(bench.document)) return std::nullopt;
  const std::optional<std::uint64_t> count = NumberOf(bench.document, kShardCount);
  const std::optional<std::uint64_t> all = NumberOf(bench.document, kShardTensors);
  const std::uint64_t own = bench.document.tensors.size();
  if (!count || *count > 1) return DoubtId::kSplitCount;
  // The rules were applied to the file as a whole model, because the count says so.
  if (all && *all > own && !LacksNothing(bench)) return DoubtId::kSplitTotal;
  return std::nullopt;
}

}  // namespace

void RepairSplitKeys(Workbench& bench) {
  const bool faulty = bench.Has(RuleId::kShardFields) || bench.Has(RuleId::kShardSet);
  const bool lone = HasOtherShards(bench.document) && HasAll(bench.document);
  if (!faulty && !lone) return;
  if (const std::optional<DoubtId> doubt = DoubtOfModel(bench)) {
    bench.Leave(*doubt, *doubt == DoubtId::kSplitTotal ? kShardTensors : kShardCount);
    return;
  }
  for (const std::string_view key : kShardKeys) {
    const MetadataEntry* entry = bench.document.Find(key);
    if (entry == nullptr) continue;
    bench.Remove(*entry);
    bench.Say({.repair = RepairId::kSplitKeys, .subject = SubjectOf(key)});
  }
}

}  // namespace ggufgate
