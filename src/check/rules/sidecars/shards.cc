// Checks of a single shard.

#include "bytes/checked.h"
#include "check/hyper_parameters.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/shards/shard_set.h"
#include "check/values.h"
#include "format/tensors/layout.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

constexpr std::string_view kNumber = "split.no";
constexpr std::string_view kCount = "split.count";
constexpr std::string_view kTensors = "split.tensors.count";

// FieldOf returns a key that has the required type and is not negative.
std::optional<ShardFacts::Field> FieldOf(const Document& document, std::string_view key) {
  const MetadataEntry* entry = document.Find(key);
  if (entry == nullptr || !HasShape(*entry, FindKey(key, "")->shape)) return std::nullopt;
  const std::optional<std::uint64_t> value = document.UnsignedOf(*entry);
  if (!value) return std::nullopt;
  return ShardFacts::Field{.entry = static_cast<std::uint64_t>(entry - document.metadata.data()),
                           .where = entry->ValueRange(),
                           .value = *value};
}

void KeepDirectory(const Document& document, ShardFacts& facts) {
  constexpr std::uint64_t kLongestName = 64;
  facts.directory.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    if (tensor.name.size() > kLongestName) continue;
    facts.directory.push_back({.name = {.begin = facts.names.size(), .size = tensor.name.size()},
                               .index = i,
                               .begin = tensor.begin,
                               .dims = tensor.dims,
                               .dimension_count = tensor.dimension_count,
                               .type_id = tensor.type_id});
    facts.names += tensor.name;
  }
}

// IsKept is true for keys that contracts use.
bool IsKept(std::string_view key, std::string_view architecture) {
  return key == "general.architecture" || key == "tokenizer.ggml.model" ||
         IsLoaderParameter(key, architecture);
}

void KeepKeys(const Document& document, ShardFacts& facts) {
  const std::string_view architecture = ArchitectureOf(document);
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    const MetadataEntry& entry = document.metadata.at(i);
    if (!IsKept(entry.key, architecture)) continue;
    facts.key_places.push_back({.entry = i, .begin = entry.range.begin});
    facts.key_bytes = CheckedAdd(facts.key_bytes, entry.range.size).value_or(UINT64_MAX);
  }
  if (facts.key_bytes > ShardFacts::kMostKeyBytes) {
    facts.key_places.clear();
    return;
  }
  Encoder keys(document.byte_order);
  keys.PutBytes(AsBytes(kMagic)).Put(document.version);
  keys.Put(std::uint64_t{0}).Put(std::uint64_t{facts.key_places.size()});
  for (const ShardFacts::Key& key : facts.key_places) {
    keys.PutBytes(document.BytesAt(document.metadata.at(key.entry).range));
  }
  facts.keys = AsText(keys.Take());
}

}  // namespace

void CheckShardFields(const Context& context, Sink& sink) {
  const Document& document = context.document;
  for (const std::string_view key : {kNumber, kCount, kTensors}) {
    const MetadataEntry* entry = document.Find(key);
    if (entry == nullptr) continue;
    const KeyShape shape = FindKey(key, "")->shape;
    const std::optional<Integer> value = IntegerOf(document, *entry);
    if (!HasShape(*entry, shape)) {
      sink.Add({.where = entry->TypeRange(),
                .subject = MetadataSubject(document, *entry),
                .observed = TextFact(TypeText(*entry)),
                .allowed = TextFact(WordFor(shape)),
                .wording = ShardFieldsWording::kType});
    } else if (value && value->negative) {
      sink.Add({.where = entry->ValueRange(),
                .subject = MetadataSubject(document, *entry),
                .observed = FactOf(*value),
                .wording = ShardFieldsWording::kNegative});
    }
  }
  const auto number = FieldOf(document, kNumber);
  const auto count = FieldOf(document, kCount);
  // A merged file has 0 of 0.
  if (!number || !count || count->value == 0 || number->value < count->value) return;
  // llama.cpp reads the number only if there are several shards.
  const bool unseen = context.policy.profile == Profile::kLlamaCpp && count->value == 1;
  sink.Add({.where = number->where,
            .subject = MetadataSubject(document, document.metadata.at(number->entry)),
            .observed = number->value,
            .allowed = count->value,
            .wording = ShardFieldsWording::kNumber,
            .at_most = unseen ? Severity::kWarning : Severity::kError});
}

// Contradictions within a single file: a set of one shard with another number of tensors, or a
// shard with more tensors than the whole set.
void CheckShardSet(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const std::optional<ShardFacts> facts = ShardFactsOf(document);
  if (!facts || !facts->tensors_of_all) return;
  const std::uint64_t all = facts->tensors_of_all->value;
  const bool alone = facts->count.value == 1;
  if (facts->tensors <= all && (!alone || facts->tensors == all)) return;
  const bool unseen = context.policy.profile == Profile::kLlamaCpp && alone;
  sink.Add(
      {.where = facts->tensors_of_all->where,
       .subject = MetadataSubject(document, document.metadata.at(facts->tensors_of_all->entry)),
       .observed = facts->tensors,
       .allowed = all,
       .wording = ShardSetWording::kOwnTotal,
       .at_most = unseen ? Severity::kWarning : Severity::kError});
}

std::optional<ShardFacts> ShardFactsOf(const Document& document) {
  if (!IsWhole(document)) return std::nullopt;
  const auto number = FieldOf(document, kNumber);
  const auto count = FieldOf(document, kCount);
  // A merged file has no other facts.
  if (count && count->value == 0) return ShardFacts{.count = *count};
  if (!number || !count || number->value >= count->value) return std::nullopt;

  ShardFacts facts{.number = *number, .count = *count};
  facts.tensors_of_all = FieldOf(document, kTensors);
  facts.tensors = document.tensors.size();
  if (facts.count.value == 1) return facts;
  KeepDirectory(document, facts);
  if (facts.number.value == 0) KeepKeys(document, facts);
  return facts;
}

}  // namespace ggufgate
