#include "check/rules/subject.h"

#include <string>

namespace ggufgate {
namespace {

std::string CutText(std::string_view text) {
  return std::string(text.substr(0, Subject::kLongestText));
}

}  // namespace

Fact TextFact(std::string_view text) { return CutText(text); }

Subject SubjectOf(const Place& place) {
  return {.section = place.section,
          .index = place.index,
          .name = CutText(place.name),
          .element = place.element};
}

Subject FileSubject() { return {}; }

Subject MetadataSubject(const Document& document, const MetadataEntry& entry,
                        std::uint64_t element) {
  const auto index = static_cast<std::uint64_t>(&entry - document.metadata.data());
  return {.section = Place::Section::kMetadata,
          .index = index,
          .name = CutText(entry.key),
          .element = element};
}

Subject TensorSubject(const Document& document, const TensorInfo& tensor) {
  const auto index = static_cast<std::uint64_t>(&tensor - document.tensors.data());
  return {.section = Place::Section::kTensor, .index = index, .name = CutText(tensor.name)};
}

}  // namespace ggufgate
