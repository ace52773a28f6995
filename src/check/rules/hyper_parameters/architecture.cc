// Rules about what a file says it is, and about the types of what it says.

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/label.h"

namespace ggufgate {

void CheckArchitectureMissing(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // Behind a fault the key may still come.
  if (document.metadata.size() < document.metadata_count || document.version == 0) return;
  // Files without any metadata are written by programs for image models and speech.
  if (document.metadata_count == 0) return;
  if (document.Find(kArchitectureKey) != nullptr) return;
  // The first shard has the metadata; adapters and the like have another loader.
  if (IsFurtherShard(document) || IsSidecar(document)) return;
  constexpr ByteRange kMetadataCount = {.begin = 16, .size = 8};
  sink.Add({.where = kMetadataCount, .subject = {.section = Place::Section::kHeader}});
}

void CheckArchitectureUnknown(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const MetadataEntry* entry = context.document.Find(kArchitectureKey);
  if (entry == nullptr || entry->type != ValueType::kString) return;
  const bool images = parameters.info() != nullptr && parameters.info()->images;
  const bool foreign = images && context.policy.profile == Profile::kLlamaCpp;
  if (parameters.info() != nullptr && !foreign) return;
  sink.Add({.where = entry->ElementsRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = TextFact(parameters.architecture()),
            .wording = foreign ? ArchitectureUnknownWording::kImageModel
                               : ArchitectureUnknownWording::kUnknown,
            .at_most = IsSidecar(context.document) ? Severity::kNote : Severity::kError});
}

namespace {

// HasItsOwnRule: the keys whose types another rule judges. Of a tokenizer those are the arrays, the
// ids, which are its only numbers, and the chat templates.
bool HasItsOwnRule(const KeyInfo& key) {
  if (key.pattern.starts_with("tokenizer.")) {
    const bool is_switch = key.shape == KeyShape::kBool || key.shape == KeyShape::kString;
    return !is_switch || key.pattern.starts_with("tokenizer.chat_template");
  }
  return key.pattern.starts_with("split.") || key.pattern.starts_with("clip.");
}

}  // namespace

void CheckHyperparameterType(const Context& context, Sink& sink) {
  const std::string_view architecture = context.parameters.architecture();
  for (const MetadataEntry& entry : context.document.metadata) {
    const KeyInfo* key = FindKey(entry.key, architecture);
    const bool is_label = key == nullptr;
    if (is_label) key = FindLabel(entry.key);
    if (key == nullptr || HasItsOwnRule(*key) || HasShape(entry, key->shape)) continue;
    sink.Add({.where = entry.TypeRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(TypeText(entry)),
              .allowed = TextFact(WordFor(key->shape)),
              .at_most = is_label ? Severity::kNote : Severity::kError});
  }
}

}  // namespace ggufgate
