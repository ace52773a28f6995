// Rules about a policy's lists of allowed values. Everything else is rejected, including unknown,
// unreadable and absent values.

#include <algorithm>
#include <string>

#include "check/rules/rule_functions.h"

namespace ggufgate {
namespace {

// Listed joins names: "llama, qwen3".
template <typename Items, typename NameOf>
Fact Listed(const Items& items, NameOf name_of) {
  std::string text;
  for (const auto& item : items) {
    if (text.size() > Subject::kLongestText) break;  // the rest would be cut
    if (!text.empty()) text += ", ";
    text += name_of(item);
  }
  return TextFact(text);
}

std::string_view NameOf(TensorType type) {
  const TensorTypeInfo* info = FindTensorType(static_cast<std::uint32_t>(type));
  return info != nullptr ? info->name : std::string_view();
}

// Field `metadata count` of the header: a finding about an absent key points to it.
constexpr ByteRange kMetadataCountRange{.begin = 16, .size = 8};

}  // namespace

void CheckArchitectureNotAllowed(const Context& context, Sink& sink) {
  const std::vector<std::string>& allowed = context.policy.architectures;
  if (allowed.empty()) return;
  const Fact list = Listed(allowed, [](const std::string& name) { return name; });
  const Document& document = context.document;
  bool found = false;
  // All entries, not only the first: another reader may use the last.
  for (const MetadataEntry& entry : document.metadata) {
    if (entry.key != kArchitectureKey) continue;
    found = true;
    const auto name = document.StringOf(entry);
    if (name && std::ranges::count(allowed, *name) > 0) continue;
    sink.Add({.where = entry.ValueRange(),
              .subject = MetadataSubject(document, entry),
              .observed = name ? TextFact(*name) : Fact{},
              .allowed = list,
              .wording = name ? ArchitectureNotAllowedWording::kOther
                              : ArchitectureNotAllowedWording::kAbsent});
  }
  // After a fault, the key may be in the unread part. The fault rejects the file.
  if (found || document.fault) return;
  sink.Add({.where = kMetadataCountRange,
            .subject = {.section = Place::Section::kHeader},
            .allowed = list,
            .wording = ArchitectureNotAllowedWording::kAbsent});
}

void CheckTensorTypeNotAllowed(const Context& context, Sink& sink) {
  const std::vector<TensorType>& allowed = context.policy.tensor_types;
  if (allowed.empty()) return;
  const Fact list = Listed(allowed, NameOf);
  for (const TensorInfo& tensor : context.document.tensors) {
    const auto type = static_cast<TensorType>(tensor.type_id);
    if (std::ranges::count(allowed, type) > 0) continue;
    const std::string_view name = NameOf(type);
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = name.empty() ? Fact{std::uint64_t{tensor.type_id}} : TextFact(name),
              .allowed = list});
  }
}

}  // namespace ggufgate
