// Rules about keys and tensor names that other readers change.

#include "check/rules/readers/alike.h"
#include "check/rules/rule_functions.h"
#include "format/reader_fields.h"
#include "format/unicode/ignorable.h"

namespace ggufgate {

void CheckKeyPrototype(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    const std::optional<Segment> segment = FindPrototypeSegment(entry.key);
    if (!segment) continue;
    sink.Add({.where = {.begin = entry.KeyRange().begin + segment->position,
                        .size = segment->text.size()},
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(segment->text)});
  }
}

void CheckKeyReaderField(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsReaderField(entry.key)) continue;
    sink.Add({.where = entry.KeyRange(), .subject = MetadataSubject(context.document, entry)});
  }
}

void CheckKeyAlike(const Context& context, Sink& sink) {
  const std::vector<MetadataEntry>& metadata = context.document.metadata;
  for (const Repeat alike :
       FindAlike(metadata, [](const MetadataEntry& entry) { return entry.key; })) {
    const MetadataEntry& entry = metadata.at(alike.index);
    sink.Add({.where = entry.KeyRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = alike.first,
              .other = TextFact(metadata.at(alike.first).key)});
  }
}

void CheckTensorNameInvisible(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    const std::optional<Ignorable> found = FindIgnorable(tensor.name);
    if (!found) continue;
    sink.Add({.where = {.begin = tensor.NameRange().begin + found->position, .size = found->size},
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{found->code},
              .other = std::uint64_t{found->position}});
  }
}

void CheckTensorNameAlike(const Context& context, Sink& sink) {
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  for (const Repeat alike :
       FindAlike(tensors, [](const TensorInfo& tensor) { return tensor.name; })) {
    const TensorInfo& tensor = tensors.at(alike.index);
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = alike.first,
              .other = TextFact(tensors.at(alike.first).name)});
  }
}

}  // namespace ggufgate
