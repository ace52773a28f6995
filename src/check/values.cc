#include "check/values.h"

#include <string>

#include "check/rules/subject.h"

namespace ggufgate {
namespace {

bool IsArray(const MetadataEntry& entry) { return entry.type == ValueType::kArray; }

}  // namespace

Fact FactOf(Integer integer) {
  if (!integer.negative) return integer.magnitude;
  return TextFact("-" + std::to_string(integer.magnitude));
}

std::string TypeText(const MetadataEntry& entry) {
  if (!IsArray(entry)) return std::string(InfoOf(entry.type).word);
  return "array of " + std::string(InfoOf(entry.element_type).word);
}

std::optional<Integer> IntegerOf(const Document& document, const MetadataEntry& entry) {
  return LoadInteger(entry.type, document.BytesAt(entry.ValueRange()), document.byte_order);
}

std::optional<float> FloatOf(const Document& document, const MetadataEntry& entry) {
  if (entry.type != ValueType::kF32) return std::nullopt;
  return Load<float>(document.BytesAt(entry.ValueRange()), document.byte_order);
}

std::optional<bool> BoolOf(const Document& document, const MetadataEntry& entry) {
  if (entry.type != ValueType::kBool) return std::nullopt;
  return document.BytesAt(entry.ValueRange()).front() != 0;
}

std::optional<Integer> IntegerAt(const Document& document, const MetadataEntry& entry,
                                 std::uint64_t index) {
  if (!IsArray(entry) || !IsInteger(entry.element_type) || index >= entry.count) {
    return std::nullopt;
  }
  const std::uint64_t bytes = InfoOf(entry.element_type).scalar_bytes;
  return LoadInteger(entry.element_type,
                     document.BytesAt(entry.ElementsRange()).subspan(index * bytes, bytes),
                     document.byte_order);
}

std::optional<std::string_view> TextOf(const Document& document, const MetadataEntry& entry) {
  const std::optional<std::string_view> text = document.StringOf(entry);
  return text ? std::optional(AsLoadersRead(*text)) : std::nullopt;
}

std::string_view ArchitectureOf(const Document& document) {
  const MetadataEntry* entry = document.Find("general.architecture");
  return entry != nullptr ? TextOf(document, *entry).value_or("") : "";
}

}  // namespace ggufgate
