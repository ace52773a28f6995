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

namespace {

// NeverRan: llama.cpp v0.5.0 knows these, and no model of them that was made ran. It aborts
// on those of chameleon and plm when it makes a context, and refuses those of gptj.
bool NeverRan(std::string_view architecture) {
  return architecture == "chameleon" || architecture == "plm" || architecture == "gptj";
}

// IsOfOllama: known, and not to llama.cpp.
bool IsOfOllama(std::string_view architecture) { return architecture == "mllama"; }

}  // namespace

void CheckArchitectureUnknown(const Context& context, Sink& sink) {
  const HyperParameters& parameters = context.parameters;
  const MetadataEntry* entry = context.document.Find(kArchitectureKey);
  if (entry == nullptr || entry->type != ValueType::kString) return;
  const bool for_llama = context.policy.profile == Profile::kLlamaCpp;
  ArchitectureUnknownWording wording = ArchitectureUnknownWording::kUnknown;
  if (const ArchitectureInfo* info = parameters.info(); info != nullptr) {
    if (NeverRan(parameters.architecture())) {
      wording = ArchitectureUnknownWording::kUnmeasured;
    } else if (info->images && for_llama) {
      wording = ArchitectureUnknownWording::kImageModel;
    } else if (!IsOfOllama(parameters.architecture()) || !for_llama) {
      return;
    }
  }
  // An adapter is asked for the architecture of its model, and a further shard for nothing. Ollama
  // knows its own name of gpt-oss.
  const bool of_store = context.policy.for_ollama && IsOfGptoss(context.document);
  const bool asked =
      !of_store && !IsSidecar(context.document) && !IsFurtherShard(context.document);
  sink.Add({.where = entry->ElementsRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = TextFact(parameters.architecture()),
            .wording = wording,
            .at_most = asked ? Severity::kError : Severity::kNote});
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
