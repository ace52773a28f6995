// Rules about the architecture that a file states, and about the types of its keys.

#include <optional>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/architecture.h"
#include "format/label.h"

namespace ggufgate {

void CheckArchitectureMissing(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // After a fault, the key may be in the unread part.
  if (document.metadata.size() < document.metadata_count || document.version == 0) return;
  // Programs for image models and speech write files without metadata.
  if (document.metadata_count == 0) return;
  if (document.Find(kArchitectureKey) != nullptr) return;
  // The first shard has the metadata; adapters and other sidecars have another loader.
  if (IsFurtherShard(document) || IsSidecar(document)) return;
  constexpr ByteRange kMetadataCount = {.begin = 16, .size = 8};
  sink.Add({.where = kMetadataCount, .subject = {.section = Place::Section::kHeader}});
}

namespace {

// IsUnmeasured: llama.cpp v0.5.0 knows these architectures, but no tiny model of them ran. It
// aborts on plm, and on chameleon with 8,194 tokens or fewer. It refuses gptj.
bool IsUnmeasured(std::string_view architecture) {
  return architecture == "chameleon" || architecture == "plm" || architecture == "gptj";
}

// IsOfOllama: Ollama knows these architectures, llama.cpp does not.
bool IsOfOllama(std::string_view architecture) { return architecture == "mllama"; }

// WordingFor returns the reason why the architecture is reported; nullopt if it is not.
std::optional<ArchitectureUnknownWording> WordingFor(const Context& context) {
  using enum ArchitectureUnknownWording;
  const ArchitectureInfo* info = context.parameters.info();
  const std::string_view architecture = context.parameters.architecture();
  if (context.contract() != nullptr) return std::nullopt;
  // Of a loader that the policy names, ggufgate knows only the architectures with a contract.
  if (!context.policy.loaders.empty()) return kOtherRelease;
  if (IsNewerArchitecture(architecture)) return kNewer;
  if (info == nullptr) return kUnknown;
  if (IsUnmeasured(architecture)) return kUnmeasured;
  if (info->images || IsOfOllama(architecture)) {
    if (context.policy.profile != Profile::kLlamaCpp) return std::nullopt;
    return info->images ? kImageModel : kUnknown;
  }
  return std::nullopt;
}

}  // namespace

void CheckArchitectureUnknown(const Context& context, Sink& sink) {
  const MetadataEntry* entry = context.document.Find(kArchitectureKey);
  if (entry == nullptr || entry->type != ValueType::kString) return;
  const std::optional<ArchitectureUnknownWording> wording = WordingFor(context);
  if (!wording) return;
  // An adapter states the architecture of its model. A further shard need not state one. Ollama has
  // a name of its own for gpt-oss.
  const bool of_store = context.policy.for_ollama && IsOfGptoss(context.document);
  const bool asked = !of_store && !IsSidecar(context.document) && !IsFurtherShard(context.document);
  sink.Add({.where = entry->ElementsRange(),
            .subject = MetadataSubject(context.document, *entry),
            .observed = TextFact(context.parameters.architecture()),
            .wording = *wording,
            .at_most = asked ? Severity::kError : Severity::kNote,
            // The user named this release, so it is certain that it does not know the model.
            .at_least = *wording == ArchitectureUnknownWording::kOtherRelease ? Severity::kError
                                                                              : Severity::kOff});
}

namespace {

// HasItsOwnRule returns whether another rule checks the type of a key. For tokenizers these are the
// arrays, the ids (its only numbers) and the chat templates.
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
