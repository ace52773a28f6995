#include "mutate/build/entry_value.h"

#include "bytes/checked.h"

namespace ggufgate::mutate {

std::optional<ArrayParts> PartsOf(const Entry& entry) {
  if (!IsArray(entry)) return std::nullopt;
  const ValueType element = ElementTypeOf(entry);
  if (FindValueType(IdOf(element)) == nullptr || element == ValueType::kArray) return std::nullopt;
  const ArrayParts parts = {.element = element,
                            .count = CountOf(entry),
                            .element_bytes = InfoOf(element).scalar_bytes,
                            .elements = ElementsOf(entry)};
  const bool whole = element == ValueType::kString ||
                     CheckedMul(parts.count, parts.element_bytes) == parts.elements.size();
  return whole ? std::optional(parts) : std::nullopt;
}

}  // namespace ggufgate::mutate
