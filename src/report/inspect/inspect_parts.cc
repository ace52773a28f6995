#include "report/inspect/inspect_parts.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "parse/extent.h"
#include "report/values.h"
#include "words/escape.h"

namespace ggufgate {

using Json = nlohmann::ordered_json;

namespace {

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json HeaderJson(const Document& document) {
  return {{"size", document.file_size},
          {"version", document.version},
          {"byte_order", document.byte_order == ByteOrder::kBig ? "big" : "little"},
          {"metadata_count", document.metadata_count},
          {"tensor_count", document.tensor_count},
          {"alignment", document.fault ? Json(nullptr) : OrNull(document.alignment)},
          {"data_begin", OrNull(document.data_begin)},
          {"complete", !document.fault.has_value()}};
}

Json KeyJson(const Document& document, const MetadataEntry& entry, std::uint64_t most) {
  Json json = {{"key", EscapeText(entry.key)}, {"type", InfoOf(entry.type).word}};
  if (entry.type == ValueType::kArray) {
    json["element_type"] = InfoOf(entry.element_type).word;
    json["count"] = entry.count;
  }
  json["offset"] = entry.range.begin;
  json["length"] = entry.range.size;
  json["value"] = JsonOfValue(document, entry, most);
  return json;
}

Json TensorJson(const Document& document, const TensorInfo& tensor) {
  const Extent extent = ExtentOf(tensor, document.alignment.value_or(1));
  const auto range = DataRange(document, tensor, extent);
  return {{"name", EscapeText(tensor.name)},
          {"type", extent.type != nullptr ? Json(extent.type->name) : Json(nullptr)},
          {"type_id", tensor.type_id},
          {"dimensions", tensor.Dimensions()},
          {"elements", OrNull(extent.elements)},
          {"bytes", OrNull(extent.bytes)},
          {"offset", tensor.offset},
          {"file_offset", range ? Json(range->begin) : Json(nullptr)}};
}

Json RegionJson(const Document& document, const Region& region) {
  Json json = {{"kind", WordFor(region.kind)},
               {"offset", region.range.begin},
               {"length", region.range.size}};
  if (region.kind == Region::Kind::kMetadata) {
    json["name"] = EscapeText(document.metadata.at(region.index).key);
  } else if (region.kind == Region::Kind::kTensorInfo || region.kind == Region::Kind::kTensorData) {
    json["name"] = EscapeText(document.tensors.at(region.index).name);
  }
  return json;
}

}  // namespace ggufgate
