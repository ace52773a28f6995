#include "parse/document.h"

#include <algorithm>

namespace ggufgate {
namespace {

template <Scalar T>
std::optional<std::uint64_t> NonNegative(Bytes bytes, ByteOrder order) {
  const T value = Load<T>(bytes, order);
  if (value < T{0}) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

}  // namespace

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
  switch (entry.type) {
    case ValueType::kU8:
    case ValueType::kBool:
      return bytes.front();
    case ValueType::kI8:
      return NonNegative<std::int8_t>(bytes, byte_order);
    case ValueType::kU16:
      return Load<std::uint16_t>(bytes, byte_order);
    case ValueType::kI16:
      return NonNegative<std::int16_t>(bytes, byte_order);
    case ValueType::kU32:
      return Load<std::uint32_t>(bytes, byte_order);
    case ValueType::kI32:
      return NonNegative<std::int32_t>(bytes, byte_order);
    case ValueType::kU64:
      return Load<std::uint64_t>(bytes, byte_order);
    case ValueType::kI64:
      return NonNegative<std::int64_t>(bytes, byte_order);
    default:
      return std::nullopt;
  }
}

}  // namespace ggufgate
