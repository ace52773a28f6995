#include "parse/document.h"

#include <algorithm>

#include "parse/integer.h"

namespace ggufgate {

const MetadataEntry* Document::Find(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, &MetadataEntry::key);
  return found != metadata.end() ? &*found : nullptr;
}

std::optional<std::string_view> Document::StringOf(const MetadataEntry& entry) const {
  if (entry.type != ValueType::kString) return std::nullopt;
  return AsText(BytesAt(entry.ElementsRange()));
}

std::optional<std::uint64_t> Document::UnsignedOf(const MetadataEntry& entry) const {
  const Bytes bytes = BytesAt(entry.ValueRange());
  if (entry.type == ValueType::kBool) return bytes.front();
  const std::optional<Integer> integer = LoadInteger(entry.type, bytes, byte_order);
  return integer ? integer->Unsigned() : std::nullopt;
}

}  // namespace ggufgate
