#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/escaping.h"
#include "parse/extent.h"
#include "parse/regions.h"
#include "report/inspect/inspect.h"
#include "report/values.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json MetadataJson(const Document& document, const InspectParts& parts) {
  constexpr std::uint64_t kFirst = 8;
  Json list = Json::array();
  for (const MetadataEntry& entry : document.metadata) {
    if (!parts.key.empty() && entry.key != parts.key) continue;
    Json json = {{"key", EscapeText(entry.key)}, {"type", InfoOf(entry.type).word}};
    if (entry.type == ValueType::kArray) {
      json["element_type"] = InfoOf(entry.element_type).word;
      json["count"] = entry.count;
    }
    json["offset"] = entry.range.begin;
    json["length"] = entry.range.size;
    json["value"] = JsonOfValue(document, entry, parts.whole_arrays ? UINT64_MAX : kFirst);
    list.push_back(std::move(json));
  }
  return list;
}

Json TensorsJson(const Document& document) {
  Json list = Json::array();
  for (const TensorInfo& tensor : document.tensors) {
    const Extent extent = ExtentOf(tensor, document.alignment.value_or(1));
    const auto range = DataRange(document, tensor, extent);
    list.push_back({{"name", EscapeText(tensor.name)},
                    {"type", extent.type != nullptr ? Json(extent.type->name) : Json(nullptr)},
                    {"type_id", tensor.type_id},
                    {"dimensions", tensor.Dimensions()},
                    {"elements", OrNull(extent.elements)},
                    {"bytes", OrNull(extent.bytes)},
                    {"offset", tensor.offset},
                    {"file_offset", range ? Json(range->begin) : Json(nullptr)}});
  }
  return list;
}

Json LayoutJson(const Document& document) {
  Json list = Json::array();
  for (const Region& region : Regions(document)) {
    Json json = {{"kind", WordFor(region.kind)},
                 {"offset", region.range.begin},
                 {"length", region.range.size}};
    if (region.kind == Region::Kind::kMetadata) {
      json["name"] = EscapeText(document.metadata.at(region.index).key);
    } else if (region.kind == Region::Kind::kTensorInfo ||
               region.kind == Region::Kind::kTensorData) {
      json["name"] = EscapeText(document.tensors.at(region.index).name);
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

void InspectAsJson(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out) {
  Json json = {{"schema", "ggufgate.inspect/1"},
               {"path", EscapeText(path)},
               {"size", document.file_size},
               {"version", document.version},
               {"byte_order", document.byte_order == ByteOrder::kBig ? "big" : "little"},
               {"metadata_count", document.metadata_count},
               {"tensor_count", document.tensor_count},
               {"alignment", document.fault ? Json(nullptr) : OrNull(document.alignment)},
               {"data_begin", OrNull(document.data_begin)},
               {"complete", !document.fault.has_value()}};
  if (EscapeText(path) != path) json["path_hex"] = absl::BytesToHexString(path);
  if (parts.metadata) json["metadata"] = MetadataJson(document, parts);
  if (parts.tensors) json["tensors"] = TensorsJson(document);
  if (parts.layout) json["layout"] = LayoutJson(document);
  out << json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) << '\n';
}

}  // namespace ggufgate
