// Rules about what a file says it is, and about the types of what it says.

#include "check/hyper_parameters.h"
#include "check/sink.h"
#include "check/values.h"

namespace ggufgate {

void CheckArchitectureMissing(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // Behind a fault the key may still come.
  if (document.metadata.size() < document.metadata_count || document.version == 0) return;
  if (document.Find(kArchitectureKey) != nullptr) return;
  // The first shard carries the metadata; a file that is no model has its own kind of loader.
  if (ShardNumberOf(document).value_or(1) > 0) return;
  const std::string_view type = TypeOfFile(document);
  if (!type.empty() && type != "model") return;
  constexpr ByteRange kMetadataCount = {.begin = 16, .size = 8};
  sink.Add({.where = kMetadataCount, .subject = {.section = Place::Section::kHeader}});
}

void CheckArchitectureUnknown(const Context& context, Sink& sink) {
  const HyperParameters parameters(context.document);
  const MetadataEntry* entry = context.document.Find(kArchitectureKey);
  if (entry == nullptr || entry->type != ValueType::kString || parameters.info() != nullptr) return;
  sink.Add({.where = entry->ElementsRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = TextFact(parameters.architecture())});
}

namespace {

// HasItsOwnRule: the keys whose types another rule judges.
bool HasItsOwnRule(std::string_view key) {
  return key.starts_with("tokenizer.") || key.starts_with("split.") || key.starts_with("clip.");
}

}  // namespace

void CheckHyperparameterType(const Context& context, Sink& sink) {
  const std::string_view architecture = ArchitectureOf(context.document);
  for (const MetadataEntry& entry : context.document.metadata) {
    if (HasItsOwnRule(entry.key)) continue;
    const KeyInfo* key = FindKey(entry.key, architecture);
    if (key == nullptr || HasShape(entry, key->shape)) continue;
    sink.Add({.where = entry.TypeRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(TypeText(entry)),
              .allowed = TextFact(WordFor(key->shape))});
  }
}

}  // namespace ggufgate
