// What one shard says of itself.

#include "check/hyper_parameters.h"
#include "check/shard_set.h"
#include "check/sink.h"
#include "check/values.h"

namespace ggufgate {
namespace {

constexpr std::string_view kNumber = "split.no";
constexpr std::string_view kCount = "split.count";
constexpr std::string_view kTensors = "split.tensors.count";

// FieldOf gives a key of the type it must have whose value is not negative.
std::optional<ShardFacts::Field> FieldOf(const Document& document, std::string_view key) {
  const MetadataEntry* entry = document.Find(key);
  if (entry == nullptr || !HasShape(*entry, FindKey(key, "")->shape)) return std::nullopt;
  const std::optional<std::uint64_t> value = document.UnsignedOf(*entry);
  if (!value) return std::nullopt;
  return ShardFacts::Field{.entry = static_cast<std::uint64_t>(entry - document.metadata.data()),
                           .where = entry->ValueRange(),
                           .value = *value};
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
  // A merged file says 0 of 0.
  if (!number || !count || count->value == 0 || number->value < count->value) return;
  // llama.cpp looks at the number of several shards only.
  const bool unseen = context.policy.profile == Profile::kLlamaCpp && count->value == 1;
  sink.Add({.where = number->where,
            .subject = MetadataSubject(document, document.metadata.at(number->entry)),
            .observed = number->value,
            .allowed = count->value,
            .wording = ShardFieldsWording::kNumber,
            .at_most = unseen ? Severity::kWarning : Severity::kError});
}

// What a single file shows: a set of one with another number of tensors, or a shard with more than
// the whole set has.
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
  constexpr std::uint64_t kLongestName = 64;
  if (!IsWhole(document)) return std::nullopt;
  const auto number = FieldOf(document, kNumber);
  const auto count = FieldOf(document, kCount);
  if (!number || !count || number->value >= count->value) return std::nullopt;

  ShardFacts facts{.number = *number, .count = *count};
  facts.tensors_of_all = FieldOf(document, kTensors);
  facts.tensors = document.tensors.size();
  if (facts.count.value == 1) return facts;
  facts.name_places.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    if (tensor.name.size() > kLongestName) continue;
    facts.name_places.push_back({.begin = facts.names.size(),
                                 .size = tensor.name.size(),
                                 .tensor = i,
                                 .at = tensor.NameRange().begin});
    facts.names += tensor.name;
  }
  return facts;
}

}  // namespace ggufgate
