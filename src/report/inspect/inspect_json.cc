#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/escaping.h"
#include "parse/regions.h"
#include "report/inspect/inspect.h"
#include "report/inspect/inspect_parts.h"
#include "report/loaders/outcomes.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

Json MetadataJson(const Document& document, const InspectParts& parts) {
  constexpr std::uint64_t kFirst = 8;
  Json list = Json::array();
  for (const MetadataEntry& entry : document.metadata) {
    if (!parts.key.empty() && entry.key != parts.key) continue;
    list.push_back(KeyJson(document, entry, parts.whole_arrays ? UINT64_MAX : kFirst));
  }
  return list;
}

}  // namespace

void InspectAsJson(const Document& document, const std::string& path, const InspectParts& parts,
                   std::ostream& out) {
  Json json = {{"schema", "ggufgate.inspect/1"}, {"path", EscapeText(path)}};
  json.update(HeaderJson(document));
  if (EscapeText(path) != path) json["path_hex"] = absl::BytesToHexString(path);
  if (parts.metadata) json["metadata"] = MetadataJson(document, parts);
  if (parts.tensors) {
    Json& list = json["tensors"] = Json::array();
    for (const TensorInfo& tensor : document.tensors) list.push_back(TensorJson(document, tensor));
  }
  if (parts.layout) {
    Json& list = json["layout"] = Json::array();
    for (const Region& region : Regions(document)) list.push_back(RegionJson(document, region));
  }
  if (!parts.loaders.empty()) json["loaders"] = OutcomesJson(parts.loaders);
  out << json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) << '\n';
}

}  // namespace ggufgate
