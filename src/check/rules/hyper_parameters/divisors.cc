// Rules about numbers by which loaders divide before they read any tensor.

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"

namespace ggufgate {
namespace {

// MayLoad is true for each file that a loader may treat as a model before it reads a tensor.
// Adapters lack the keys that it reads first.
bool MayLoad(const Document& document, const HyperParameters& parameters) {
  if (IsFurtherShard(document)) return false;
  return !IsSidecar(document) || IsJudgedByContract(document, parameters);
}

}  // namespace

bool DividesByHeads(const HyperParameters& parameters) {
  const std::string_view architecture = parameters.architecture();
  if (architecture == "phimoe" || architecture == "olmo2") return true;
  if (architecture == "gemma2") return parameters.Layers() == 46;
  return architecture == "gemma3" && parameters.Layers() == 62;
}

void CheckEmbeddingLength(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const MetadataEntry* entry = parameters.Find("embedding_length");
  if (entry == nullptr || parameters.Unsigned("embedding_length") != 0) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = std::uint64_t{0}});
}

void CheckDivisorMissing(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const HyperParameters& parameters = context.parameters;
  if (!HasAllMetadata(document) || !DividesByHeads(parameters)) return;
  if (!MayLoad(document, parameters)) return;
  const MetadataEntry* entry = parameters.Find("attention.head_count");
  if (entry == nullptr) {
    const MetadataEntry& named = *document.Find(kArchitectureKey);
    sink.Add({.where = named.ElementsRange(),
              .subject = MetadataSubject(document, named),
              .other = TextFact(std::string(parameters.architecture()) + ".attention.head_count"),
              .wording = DivisorMissingWording::kAbsent});
    return;
  }
  // Another rule reports a single 0.
  const std::optional<Integer> first = IntegerAt(document, *entry, 0);
  if (!first || first->magnitude != 0) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(document, *entry, 0),
            .observed = std::uint64_t{0},
            .wording = DivisorMissingWording::kZero});
}

}  // namespace ggufgate
